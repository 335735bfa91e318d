import { pythonTool, type Tool } from '../../support/python-tool.ts';

/** Schemathesis of one version. */
export function schemathesis(): Promise<Tool> {
  return pythonTool('schemathesis', '4.32.5');
}
