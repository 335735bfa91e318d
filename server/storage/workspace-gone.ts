/** The workspace was deleted or never existed. Over HTTP it is answered like unknown credentials. */
export class WorkspaceGone extends Error {
  override readonly name = 'WorkspaceGone';
  readonly workspaceId: string;

  constructor(workspaceId: string) {
    super(`There is no workspace "${workspaceId}".`);
    this.workspaceId = workspaceId;
  }
}
