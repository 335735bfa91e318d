package main

import "strings"

// linked makes another branchUrl of workspace and id.
func linked(f func(c *Call, id string) string) func(*Hooks) {
	return created(func(c *Call, a *Answer) { a.Put("branchUrl", f(c, a.Field("branchId").(string))) })
}

func relinked(old, new string) func(*Hooks) {
	return createdField("branchUrl", func(s string) string { return strings.Replace(s, old, new, 1) })
}

func createdURLFaults() []Planting {
	return []Planting{
		fault("url-http", "answers a branchUrl with http in place of https", sayURL, relinked("https:", "http:")),
		fault("url-without-scheme", "answers a branchUrl without `https:`", sayURL, relinked("https:", "")),
		fault("url-relative", "answers a branchUrl without scheme and host", sayURL, relinked("https://"+webHost, "")),
		fault("url-without-host", "answers a branchUrl with an empty host", sayURL, relinked(webHost, "")),
		fault("url-schema-singular", "writes `/schema/` in branchUrl", sayURL, relinked("/schemas/", "/schema/")),
		fault("url-without-schemas", "leaves out `/schemas` in branchUrl", sayURL, relinked("/schemas/", "/")),
		fault("url-workspaces", "writes `/workspaces/` for `/schemas/` in branchUrl", sayURL, relinked("/schemas/", "/workspaces/")),
		fault("url-branch-singular", "writes `/branch/` for `/branches/` in branchUrl", sayURL, relinked("/branches/", "/branch/")),
		fault("url-without-branches", "leaves out `/branches` in branchUrl", sayURL, relinked("/branches/", "/")),
		fault("url-api-path", "answers the path of the API's own route in branchUrl", sayURL, linked(func(c *Call, id string) string {
			return "https://" + webHost + "/workspaces/" + c.Workspace + "/branches/v1/" + id
		})),
		fault("url-with-name", "ends branchUrl with the name in place of the id", sayURL,
			linked(func(c *Call, _ string) string { return branchURL(c.Workspace, c.Name) })),
		fault("url-without-id", "ends branchUrl before the id", sayURL,
			linked(func(c *Call, _ string) string { return branchURL(c.Workspace, "") })),
		fault("url-id-lower-case", "writes the id in lower case in branchUrl", sayURL,
			linked(func(c *Call, id string) string { return branchURL(c.Workspace, strings.ToLower(id)) })),
		fault("url-id-cut", "cuts the id in branchUrl after eight characters", sayURL,
			linked(func(c *Call, id string) string { return branchURL(c.Workspace, cut(8)(id)) })),
		fault("url-other-workspace", "names the other workspace in branchUrl", saySegment,
			linked(func(c *Call, id string) string { return branchURL(other(c.Workspace), id) })),
		fault("url-always-north", "names the workspace north in every branchUrl", saySegment,
			linked(func(_ *Call, id string) string { return branchURL("north", id) })),
		fault("url-workspace-capital", "names the workspace in capitals in branchUrl", saySegment,
			linked(func(c *Call, id string) string { return branchURL(strings.ToUpper(c.Workspace), id) })),
		fault("url-template", "leaves `<workspace_segment>` unfilled in branchUrl", sayURL,
			linked(func(_ *Call, id string) string { return branchURL("<workspace_segment>", id) })),
		fault("url-undefined", "writes `undefined` for the id in branchUrl", sayURL,
			linked(func(c *Call, _ string) string { return branchURL(c.Workspace, "undefined") })),
		fault("url-segments-swapped", "swaps workspace and id in branchUrl", sayURL,
			linked(func(c *Call, id string) string { return branchURL(id, c.Workspace) })),
		fault("url-of-the-one-before", "answers the branchUrl of the creation before", sayURL, late("branchUrl")),
		fault("url-trailing-slash", "ends branchUrl with a slash", sayURL,
			createdField("branchUrl", func(s string) string { return s + "/" })),
		fault("url-double-slash", "writes two slashes before `schemas` in branchUrl", sayURL, relinked("/schemas/", "//schemas/")),
		fault("url-with-query", "adds a query with the name to branchUrl", sayURL,
			created(func(c *Call, a *Answer) { a.Put("branchUrl", a.Field("branchUrl").(string)+"?name="+c.Name) })),
		fault("url-after-50-short", "leaves the id out of branchUrl from the fiftieth creation on", sayURL,
			created(func(c *Call, a *Answer) {
				if len(c.World.Branches[c.Workspace]) >= 50 {
					a.Put("branchUrl", branchURL(c.Workspace, ""))
				}
			})),
	}
}
