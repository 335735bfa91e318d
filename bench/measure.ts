/** How long and how often is measured. */
export interface MeasureOptions {
  rounds: number;
  /** Of load in each round. */
  seconds: number;
  /** A tenth of the rows, to see that everything works; the figures mean little. */
  quick: boolean;
  /** Folder of another checkout that is measured as well, by what can do so. */
  against?: string;
}

/** What was found, as it is kept in `bench/results/` and rendered into `docs/benchmarks.md`. */
export interface Finding {
  title: string;
  /** Says what was measured, and how to read it. */
  about: string;
  tables: Table[];
}

export interface Table {
  columns: string[];
  rows: (string | number)[][];
}

/** One thing to measure. */
export interface Measure {
  name: string;
  describe: string;
  /** Whether it says nothing without another checkout. */
  takesAnother?: boolean;
  run: (options: MeasureOptions) => Promise<Finding>;
}
