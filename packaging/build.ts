/** What a release is assembled from. */
export interface Build {
  /** The folder `android-sdk` whose sources were built. */
  sdk: string;
  /** Where Maven built them, a folder for each module. */
  target: string;
}
