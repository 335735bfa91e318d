/** The code that the console shares with the server. It needs only browser APIs. */
export { defuseFormulas } from './branches/formulas.ts';
export { foldCase } from './inspector/fold-case.ts';
export { isPage, matchPath, ROUTES } from './console/page-routes.ts';
