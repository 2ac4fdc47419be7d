# SPDX-License-Identifier: BSD-3-Clause
# make fidelity: docs/fidelity.md's tables and chart, predictions beside measurements. RODINIA=FOLDER makes the
# graphs of Rodinia's kernels anew before, of a checkout of it; SWEEPS=FOLDER adds figures that are not
# ours to ship (tests/validate/fidelity.sh).
.PHONY: fidelity
fidelity: all ## docs/fidelity.md anew: predictions beside measurements
	@$(BOOTSTRAP) --only run
	$(if $(RODINIA),PIPESIM='$(PROGRAM)' tests/validate/rodinia.sh '$(RODINIA)')
	@PIPESIM='$(PROGRAM)' tests/validate/fidelity.sh
