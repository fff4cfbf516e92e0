import { formatDollars } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { labelFromCode } from '../format/labels.ts';
import classes from './job-cost.module.css';

/** What a job has cost, with its parts on request, the most expensive first. */
export function JobCost({ cost: { usd, parts } }: { cost: NonNullable<JobResource['cost']> }) {
  if (parts.length < 2) return formatDollars(usd);
  return (
    <details className={classes.cost}>
      <summary>
        {formatDollars(usd)} <span className={classes.hint}>by part</span>
      </summary>
      <table className={classes.parts} aria-label="Cost by part">
        <tbody>
          {parts
            .toSorted((one, other) => other.usd - one.usd)
            .map((part) => (
              <tr key={part.name}>
                <th scope="row">{labelFromCode(part.name)}</th>
                <td>{formatDollars(part.usd)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}
