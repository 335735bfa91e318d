package main

// variants are lawful ways to do what the document leaves open.
func variants() []Planting {
	return join(
		jsonVariants(), createdVariants(), sentenceVariants(), csvVariants(), dateVariants(), cellVariants(),
		rowVariants(), httpVariants(), connectionVariants(), policyVariants(), rateVariants(),
	)
}

// What the document leaves open, in its own words where it has any.
const (
	openJSON        = "Success body | JSON object with string fields `branchId`, `branchName`, `branchUrl`"
	openErrorJSON   = "Error bodies of Create Branch are JSON objects with one string field `error`."
	openSentence    = "`Invalid branch name, try \"<suggested_name>\" instead`"
	openID          = "branchId | string | Id of the new branch."
	openURL         = "of the form `https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>`"
	openCSV         = "a CSV string holding the statistics of all branches of the workspace"
	openRows        = "One CSV row per branch of the workspace."
	openMedia       = "Media type of the response and the success status code: not shown."
	openFormats     = "Timestamp text format and the cell serialization of the `collaborators` array: not shown."
	openNever       = "Values of columns for branches that never reached the respective step (for example never merged): not shown"
	openTransitions = "Transitions between these statuses, and the status of a newly created branch: not shown."
	openSample      = "whether the other path also works is unspecified"
	openPermissions = "How a service account is created and what permissions it carries: not shown."
	openErrors      = "Error statuses of Export Branch Stats, and the response when the rate limit is exceeded: not shown."
	openLimits      = "Maximum length of a branch name and size limits of the export: not shown."
	openSoft        = "1 request per second per service account; soft-enforced (not a hard rejection rule)"
	openBase        = "All paths are relative to `{base_url}`."
	openUnsaid      = "nothing is said: the document names methods, paths, request headers, statuses and bodies only"
	openHeader      = "Request headers | `authorization: Basic <BASE64_NAME_COLON_SECRET>`; `Content-Type: application/json`"
	openBody        = "Request body | JSON object with one string field `name`"
	openCreator     = "User id of the branch creator."
)
