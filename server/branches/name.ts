import contract from '../generated/contract.json' with { type: 'json' };

/** The maximum length of a branch name, in characters, from the contract. */
export const MAX_NAME_LENGTH = contract.components.schemas.BranchName.maxLength;
