-- What rocprofv3 writes in its form rocpd, as far as launches and counters go, in small and with
-- figures of ours: one process, its tables named after it, times in the launches.
CREATE TABLE rocpd_info_agent_0a1b (id INTEGER NOT NULL PRIMARY KEY, guid TEXT, type TEXT, absolute_index INTEGER,
    name TEXT, product_name TEXT, extdata JSONB DEFAULT '{}' NOT NULL);
INSERT INTO rocpd_info_agent_0a1b VALUES (1, '0a1b', 'CPU', 0, 'EPYC', '', '{}'),
    (4, '0a1b', 'GPU', 4, 'gfx90a', 'AMD Instinct MI210', '{"size": 312, "node_id": 4, "wave_front_size": 64}'),
    (5, '0a1b', 'GPU', 5, 'gfx1100', 'AMD Radeon PRO W7900', '{"size": 312, "node_id": 5, "wave_front_size": 32}');
CREATE TABLE rocpd_info_kernel_symbol_0a1b (id INTEGER NOT NULL PRIMARY KEY, guid TEXT, kernel_name TEXT, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_0a1b VALUES (1, '0a1b', '_Z1kii.kd', 'k(int, int)'), (2, '0a1b', 'm.kd', NULL);
CREATE TABLE rocpd_info_pmc_0a1b (id INTEGER NOT NULL PRIMARY KEY, guid TEXT, agent_id INTEGER, name TEXT NOT NULL, symbol TEXT NOT NULL);
INSERT INTO rocpd_info_pmc_0a1b VALUES (31, '0a1b', 4, 'SQ_INSTS', 'SQ_INSTS'), (32, '0a1b', 4, 'WRITE_SIZE', 'WRITE_SIZE');
CREATE TABLE rocpd_kernel_dispatch_0a1b (id INTEGER NOT NULL PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER,
    agent_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL, dispatch_id INTEGER NOT NULL, queue_id INTEGER, stream_id INTEGER,
    start BIGINT NOT NULL, end BIGINT NOT NULL, private_segment_size INTEGER, group_segment_size INTEGER,
    workgroup_size_x INTEGER, grid_size_x INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_0a1b VALUES
    (1, '0a1b', 1, 7, 7, 4, 1, 1, 1, 0, 1700000000000000100, 1700000000000000200, 0, 0, 64, 4096, 11),
    (2, '0a1b', 1, 7, 7, 4, 1, 2, 1, 0, 1700000000000001000, 1700000000000001200, 0, 0, 64, 4096, 13),
    (3, '0a1b', 1, 7, 7, 5, 2, 3, 1, 0, 1700000000000002000, 1700000000000002200, 0, 0, 64, 4096, 15);
CREATE TABLE rocpd_pmc_event_0a1b (id INTEGER NOT NULL PRIMARY KEY, guid TEXT, event_id INTEGER, pmc_id INTEGER NOT NULL, value REAL);
-- An instance each of two engines; a counter of an event that is no launch, and one of none.
INSERT INTO rocpd_pmc_event_0a1b VALUES (1, '0a1b', 11, 31, 4.0), (2, '0a1b', 11, 31, 6.0), (3, '0a1b', 11, 32, 1.0),
    (4, '0a1b', 13, 31, 20.0), (5, '0a1b', 13, 32, 2.0), (6, '0a1b', 14, 31, 1000.0), (7, '0a1b', NULL, 31, 1000.0),
    (8, '0a1b', 15, 31, 5.0), (9, '0a1b', 15, 32, 4.0);
CREATE VIEW rocpd_kernel_dispatch AS SELECT * FROM rocpd_kernel_dispatch_0a1b;
