"""All faults, by subject."""

import faults_auth
import faults_connection
import faults_created
import faults_errors
import faults_export_rows
import faults_export_text
import faults_names
import faults_states
import faults_taken

ALL = (faults_names.ALL + faults_taken.ALL + faults_errors.ALL + faults_created.ALL + faults_auth.ALL
       + faults_export_rows.ALL + faults_export_text.ALL + faults_states.ALL + faults_connection.ALL)

# Another reader of the document might let these pass.
DISPUTABLE = {
    "accepts-not-a-number", "export-lacks-new-branches-for-20-seconds", "export-cached-for-30-seconds",
    "export-cached-for-second-account", "export-cached-from-100-branches-on",
    "csv-semicolons", "export-500-when-large", "one-failure-locks-account", "rows-cut-behind-last-value",
    "small-header-name-needed", "workspace-of-path-ignored", "export-ignores-workspace-of-path",
    "id-from-name", "refuses-every-fourth-at-any-rate", "header-sep-line", "url-prefix-before-schemas",
}

for fault in ALL:
    fault.disputable = fault.disputable or fault.name in DISPUTABLE
