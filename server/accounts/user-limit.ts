/** How many people may belong to a workspace. */
export const MOST_USERS = 1_000;
