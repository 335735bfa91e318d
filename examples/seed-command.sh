#!/bin/sh
# Puts a branch into a status, by an operation that the service has for its own tests; exit code 0 says that it is done.
# $SERVICE_URL is the service's; the other variables come from the suite.
exec curl --fail-with-body --silent --show-error "$SERVICE_URL/seed" --json "{
  \"workspaceId\": \"$BRANCHLINE_WORKSPACE_ID\",
  \"branchId\": \"$BRANCHLINE_BRANCH_ID\",
  \"branchStatus\": \"$BRANCHLINE_BRANCH_STATUS\"
}" >&2
