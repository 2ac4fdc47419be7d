# SPDX-License-Identifier: BSD-3-Clause
# make json: the page about every key of the JSON, from the table of facts. It is in no checkout; schema.t makes it, too.
.PHONY: json
json: $(JSON_SCHEMA) ## build/pages/json.md: every key of the JSON, from tell/facts.table
	@mkdir -p $(BUILD)/pages
	$(call say,PERL)docs/make/json.pl $(JSON_SCHEMA) > $(BUILD)/pages/json.md

# make gpus-page: docs/reference/gpus.md's tables of GPUs, from their descriptions and docs/evidence/fidelity.md; gpus-page.t compares.
.PHONY: gpus-page
gpus-page: all ## docs/reference/gpus.md's tables anew, from gpus/ and docs/evidence/fidelity.md
	$(call say,PERL)PIPESIM='$(PROGRAM)' docs/make/gpus.pl > $(BUILD)/gpus.md
	@cp $(BUILD)/gpus.md docs/reference/gpus.md

# make bench-code: docs/evidence/bench-code.md and its rows, what compilers make of the micro-benchmarks: NVRTC, and clang (of
# version 17 or later for the newer of AMD's chips) with lld and llvm-objdump. Some minutes, no GPU.
CODE_ARCHITECTURES ?= sm_75,sm_80,sm_86,sm_90,sm_100,sm_120,gfx90a,gfx942,gfx1100
.PHONY: bench-code
bench-code: all ## docs/evidence/bench-code.md anew: machine code of the micro-benchmarks
	$(PROGRAM) bench --code $(CODE_ARCHITECTURES) --output $(BUILD)/bench-code.md
	@awk -v rows=docs/evidence/rows/bench-code.tsv -f docs/make/bench-code.awk $(BUILD)/bench-code.md > docs/evidence/bench-code.md

# make compiler-latencies: families of descriptions with the latencies that ptxas, which must be installed, schedules by
# for each architecture, in $(BUILD)/families, and docs/evidence/compiler-latencies.md; compiler.t compares.
.PHONY: compiler-latencies
compiler-latencies: all ## docs/evidence/compiler-latencies.md anew, and build/families: latencies by ptxas
	$(call say,PERL)FAMILIES='$(BUILD)/families' PIPESIM='$(PROGRAM)' docs/make/compiler-latencies.pl > $(BUILD)/compiler-latencies.md
	@cp $(BUILD)/compiler-latencies.md docs/evidence/compiler-latencies.md

# make throughput: docs/evidence/throughput.md's tables: NVIDIA's tables of throughputs beside descriptions; throughput.t compares.
.PHONY: throughput
throughput: all ## docs/evidence/throughput.md anew: NVIDIA's tables of throughputs beside descriptions
	@for table in 'CUDA 13' 'CUDA 11' papers differences; do \
	  PIPESIM='$(PROGRAM)' tests/validate/throughput.pl "$$table" > $(BUILD)/throughput.md && \
	  tests/validate/put.pl docs/evidence/throughput.md "$$table" $(BUILD)/throughput.md || exit 1; done

# make docs: the reference of the library for C programs, from the public headers' comments, in
# $(BUILD)/docs/html. What is public and says nothing of itself is an error.
DOCS := $(BUILD)/docs
.PHONY: docs
docs: json ## the library's reference, build/docs/html (needs doxygen), and the page of the JSON
	@$(BOOTSTRAP) --check docs
	@rm -rf $(DOCS) && mkdir -p $(DOCS)
	$(call say,DOXYGEN){ cat docs/reference/library/Doxyfile; echo 'PROJECT_NUMBER = $(VERSION)'; echo 'OUTPUT_DIRECTORY = $(DOCS)'; \
	  echo 'INPUT = docs/reference/library/main.md $(PUBLIC_H)'; echo 'WARN_LOGFILE = $(DOCS)/warnings'; } | doxygen -
	@! grep -v '(variable)' $(DOCS)/warnings
