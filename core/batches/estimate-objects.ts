import type { Range } from '../pricing/estimate.ts';
import type { ListedObject } from '../watches/watch.ts';
import type { BatchEstimate } from './batch.ts';

/** Headers that are read of the objects of one class. A usual listing has about ten classes. */
const maxOfClass = 40;

/** Standard deviations that nine of ten values stay below. */
const p90Deviations = 1.2816;

type Sampled = { hash: string; object: ListedObject };

/** Objects of one size, within a factor of two: they cost about the same for each byte. */
type SizeClass = { objects: number; bytes: number; sample: Sampled[] };

export type Listing = { objects: number; classes: SizeClass[] };

/** What the job of one object is expected to take, by its header. */
export type ExpectedJob = { mediaSeconds: number; seconds: Range; usd: Range };

/** Counts the objects of a listing, and keeps of each class those with the lowest hashes, which are a random sample. */
export function sampleOf(): { add: (object: ListedObject, hash: string) => void; listing: () => Listing } {
  const classes = new Map<number, SizeClass>();
  return {
    add(object, hash) {
      const size = Math.floor(Math.log2(Math.max(1, object.sizeBytes)));
      const found = classes.get(size) ?? { objects: 0, bytes: 0, sample: [] };
      classes.set(size, found);
      found.objects += 1;
      found.bytes += object.sizeBytes;
      const { sample } = found;
      if (sample.length === maxOfClass && hash > (sample.at(-1)?.hash ?? '')) return;
      sample.push({ hash, object });
      sample.sort((one, other) => (one.hash < other.hash ? -1 : 1)).splice(maxOfClass);
    },
    listing: () => ({
      objects: [...classes.values()].reduce((sum, { objects }) => sum + objects, 0),
      classes: [...classes.values()],
    }),
  };
}

type Known = { sizeBytes: number; job: ExpectedJob };
type Sums = {
  usd: number;
  usdP90: number;
  variance: number;
  seconds: number;
  secondsP90: number;
  mediaSeconds: number;
};

/**
 * What the jobs of a listing will take. A sampled object stands for the bytes of its class; where no header of a class can be
 * read, its objects count as the mean of all others.
 *
 * @param jobs by the hash of each object whose header was read
 * @param workers jobs that run at once
 * @param minuteUsd dollars of a job where no header at all can be read
 */
export function estimateObjects(
  { objects, classes }: Listing,
  jobs: ReadonlyMap<string, ExpectedJob>,
  { workers, minuteUsd }: { workers: number; minuteUsd: number },
): BatchEstimate {
  const read = classes.map(({ sample, ...counts }) => ({ ...counts, known: sample.flatMap(knownOf(jobs)) }));
  const sampled = read.reduce((sum, { known }) => sum + known.length, 0);
  if (sampled === 0) {
    const usd = objects * minuteUsd;
    return { objects, sampled, hours: 0, usd: { p50: usd, p90: usd }, seconds: { p50: 0, p90: 0 } };
  }
  const covered = read.filter(({ known }) => known.length > 0);
  const sums = covered.map(sumsOf);
  const share = objects / covered.reduce((sum, one) => sum + one.objects, 0);
  const total = (field: keyof Sums) => share * sums.reduce((sum, each) => sum + each[field], 0);
  const deviation = share * Math.sqrt(sums.reduce((sum, { variance }) => sum + variance, 0));
  return {
    objects,
    sampled,
    hours: total('mediaSeconds') / 3600,
    usd: { p50: total('usd'), p90: total('usdP90') + p90Deviations * deviation },
    seconds: { p50: total('seconds') / workers, p90: total('secondsP90') / workers },
  };
}

function knownOf(jobs: ReadonlyMap<string, ExpectedJob>) {
  return ({ hash, object: { sizeBytes } }: Sampled): Known[] => {
    const job = jobs.get(hash);
    return job === undefined ? [] : [{ sizeBytes, job }];
  };
}

/** The ratio estimator: the sum of the sample for each of its bytes, and the variance that the sampling adds to the dollars. */
function sumsOf({ objects, bytes, known }: { objects: number; bytes: number; known: readonly Known[] }): Sums {
  const sum = (value: (each: Known) => number) => known.reduce((total, each) => total + value(each), 0);
  const sampleBytes = sum(({ sizeBytes }) => sizeBytes);
  const scale = bytes / sampleBytes;
  const perByte = sum(({ job }) => job.usd.p50) / sampleBytes;
  const residual =
    sum(({ sizeBytes, job }) => (job.usd.p50 - perByte * sizeBytes) ** 2) / Math.max(1, known.length - 1);
  return {
    usd: scale * sum(({ job }) => job.usd.p50),
    usdP90: scale * sum(({ job }) => job.usd.p90),
    variance: (objects ** 2 / known.length) * (1 - known.length / objects) * residual,
    seconds: scale * sum(({ job }) => job.seconds.p50),
    secondsP90: scale * sum(({ job }) => job.seconds.p90),
    mediaSeconds: scale * sum(({ job }) => job.mediaSeconds),
  };
}
