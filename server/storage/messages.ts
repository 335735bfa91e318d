/** What the servers of one database tell each other. Messages can be heard for half a minute; who is not there misses them. */
export interface Messages {
  /**
   * Tells all servers that follow the workspace, the sender too.
   *
   * @param workspaceId or {@link EVERYONE}
   * @returns when it was sent, in milliseconds of the clock that all servers share
   */
  send(workspaceId: string, text: string): Promise<number>;

  /** Begins to hear what is said to everyone. */
  hear(hearer: MessageHearer): Hearing;

  /** Drops some of the messages that nobody will hear any more. */
  forget(): Promise<'more' | 'done'>;

  /** Drops all that was said to a workspace, which has ended. */
  forgetWorkspace(workspaceId: string): Promise<void>;
}

/** Stands for a workspace where a message is for every server. */
export const EVERYONE = '';

export interface MessageHearer {
  heard: (workspaceId: string, text: string) => void;
  /** Told where some may never be heard: the time that orders them went back, or they were not looked for as long as they are kept. */
  lost: (workspaceId: string) => void;
  /** Told whenever all has been heard that was said to everyone until now. */
  caughtUp: () => void;
  /** Told how messages come: at once, or when they are looked for, which is twice a second. */
  changed: (way: 'listening' | 'polling') => void;
}

export interface Hearing {
  /** Hears what is said to these workspaces from now on, and no more of others. */
  follow: (workspaceIds: readonly string[]) => void;
  close: () => Promise<void>;
}
