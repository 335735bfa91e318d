/** The one workspace, and the one app in it, that everything is measured in. */
export const WORKSPACE = 'bench';
export const SOURCE = 'bench-app';
