/**
 * A seed command for the independent service: `node conformance/selftest/seed.ts http://127.0.0.1:PORT` takes the branch and
 * the status from the environment, as `branchline conformance --seed-command` gives them.
 */
const [origin = ''] = process.argv.slice(2);
const {
  BRANCHLINE_WORKSPACE_ID: workspaceId,
  BRANCHLINE_BRANCH_ID: branchId,
  BRANCHLINE_BRANCH_STATUS: branchStatus,
} = process.env;

const response = await fetch(new URL('/seed', origin), {
  method: 'POST',
  body: JSON.stringify({ workspaceId, branchId, branchStatus }),
});
if (!response.ok) {
  process.stderr.write(`${await response.text()}\n`);
  process.exitCode = 1;
}
