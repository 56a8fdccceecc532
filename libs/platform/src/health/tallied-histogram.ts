import { Histogram, type Registry } from 'prom-client';

/** What a histogram is made with. */
export interface TalliedHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Upper bounds, rising. */
  readonly buckets: readonly number[];
  readonly registers: readonly Registry[];
}

type Values = Awaited<ReturnType<Histogram['get']>>;
type Labels = Readonly<Record<string, string>>;
/** As prom-client's registry has the values of a histogram while it writes them: what a series has in common stands apart. */
type SharingValue = Values['values'][number] & { readonly sharedLabels: Labels };

/** The counts of one combination of labels. */
export class Tally {
  private readonly counts: Float64Array;
  private sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.bounds.length && value > (this.bounds[at] ?? 0)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += value;
  }

  /** As Prometheus has them: of each bucket what is in it or below. */
  values(name: string, sharedLabels: Labels): readonly SharingValue[] {
    let count = 0;
    const buckets = [...this.bounds, '+Inf'].map((le, at) => {
      count += this.counts[at] ?? 0;
      return { labels: { le }, sharedLabels, value: count, metricName: `${name}_bucket` };
    });
    return [...buckets, { labels: {}, sharedLabels, value: this.sum, metricName: `${name}_sum` }, { labels: {}, sharedLabels, value: count, metricName: `${name}_count` }];
  }
}

/**
 * A histogram for what happens thousands of times a second. That of prom-client sorts, checks and hashes the labels of each value; here
 * whoever observes holds the {@link Tally} of its labels. In the registry it is one like any other.
 */
export class TalliedHistogram extends Histogram {
  private readonly tallies: (readonly [Labels, Tally])[] = [];
  private readonly about: TalliedHistogramOptions;

  constructor(options: TalliedHistogramOptions) {
    super({ name: options.name, help: options.help, labelNames: [...(options.labelNames ?? [])], buckets: [...options.buckets], registers: [...options.registers] });
    this.about = options;
  }

  /** A new combination of labels; keep what is returned, since each call is a series of its own. */
  tally(labels: Labels = {}): Tally {
    const tally = new Tally(this.about.buckets);
    this.tallies.push([labels, tally]);
    return tally;
  }

  override get(): Promise<Values> {
    return this.read(({ labels, sharedLabels, ...value }) => ({ ...value, labels: { ...labels, ...sharedLabels } }));
  }

  /** What the registry asks when it writes text. */
  getForPromString(): Promise<Values> {
    return this.read((value) => value);
  }

  private read(form: (value: SharingValue) => Values['values'][number]): Promise<Values> {
    const { name, help } = this.about;
    const values = this.tallies.flatMap(([labels, tally]) => tally.values(name, labels).map(form));
    // The types have an enumeration that is not there when it runs.
    const type = Reflect.get(this, 'type') as Values['type'];
    return Promise.resolve({ name, help, type, aggregator: 'sum', collect: () => undefined, values });
  }
}
