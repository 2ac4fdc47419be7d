# SPDX-License-Identifier: BSD-3-Clause
# make fidelity: docs/fidelity.md's tables and chart, predictions beside measurements. RODINIA=FOLDER, a checkout, adds
# the launches of Rodinia's kernels, SWEEPS=FOLDER figures that are not ours to ship
# (tests/validate/fidelity.sh).
.PHONY: fidelity
fidelity: all ## docs/fidelity.md anew: predictions beside measurements
	@$(BOOTSTRAP) --check run
	@PIPESIM='$(PROGRAM)' RODINIA='$(RODINIA)' SWEEPS='$(SWEEPS)' tests/validate/fidelity.sh
