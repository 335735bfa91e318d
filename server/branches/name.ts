import contract from '../generated/contract.json' with { type: 'json' };

/** The longest branch name, in characters; the contract says how long and why. */
export const MAX_NAME_LENGTH = contract.components.schemas.BranchName.maxLength;
