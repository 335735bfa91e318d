/** What the console's pages have in common with the server. It needs nothing but what browsers have. */
export { defuseFormulas } from './branches/formulas.ts';
export { isPage, matchPath, ROUTES } from './console/page-routes.ts';
