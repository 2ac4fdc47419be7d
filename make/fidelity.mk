# SPDX-License-Identifier: BSD-3-Clause
# make fidelity: docs/evidence/fidelity.md's tables and chart, predictions beside measurements. RODINIA=FOLDER, a checkout, adds
# the launches of Rodinia's kernels, SWEEPS=FOLDER figures that are not ours to ship, KERNELS=FOLDER kernels that are compiled,
# of which one set is not ours to ship, either (tests/validate/fidelity.sh).
.PHONY: fidelity
fidelity: all ## docs/evidence/fidelity.md anew: predictions beside measurements (a minute; KERNELS=FOLDER: ten)
	@$(BOOTSTRAP) --check run
	@PIPESIM='$(PROGRAM)' RODINIA='$(RODINIA)' SWEEPS='$(SWEEPS)' KERNELS='$(KERNELS)' tests/validate/fidelity.sh

# make truth: docs/evidence/truth.md's tables, what the model says of access patterns beside what was measured; tests/truth.t compares.
.PHONY: truth
truth: all ## docs/evidence/truth.md anew: access patterns beside measurements (a minute)
	@PIPESIM='$(PROGRAM)' tests/validate/truth.sh

# make attribution: docs/evidence/attribution.md and its chart, what each rule adds to what was measured, of a dozen rows of each set or, with
# ROWS=all, of all; KERNELS=FOLDER as for fidelity.
.PHONY: attribution
attribution: all ## docs/evidence/attribution.md anew: what each rule adds (ten minutes; ROWS=all: an hour)
	@$(BOOTSTRAP) --check run
	@PIPESIM='$(PROGRAM)' ROWS='$(ROWS)' KERNELS='$(KERNELS)' tests/validate/attribution.sh

# make questions: docs/evidence/questions.md's tables, what strangers measured beside what is said, and the record that How sure quotes.
.PHONY: questions
questions: all ## docs/evidence/questions.md anew: questions of strangers beside what they measured (two minutes; needs nvcc, nvdisasm)
	@PIPESIM='$(PROGRAM)' tests/validate/questions.sh
