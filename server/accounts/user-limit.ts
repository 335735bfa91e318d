/** The maximum number of people in a workspace. */
export const MOST_USERS = 1_000;
