# SPDX-License-Identifier: BSD-3-Clause
# make json: docs/json.md, the page about every key of the JSON, from the schema; schema.t compares.
.PHONY: json
json: ## docs/json.md anew, from docs/pipesim.schema.json
	$(call say,PERL)docs/json.pl > docs/json.md
