import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { stateLabel } from '../job/state-badge.tsx';
import { CreatedFilter } from './created-filter.tsx';
import classes from './job-filters.module.css';
import { filterStates, type JobListSearch } from './search-params.ts';

/** Which jobs the list shows: by state, and by the days of their creation. */
export function JobFilters({ search }: { search: JobListSearch }) {
  const { state: _, ...days } = search;
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <nav aria-label="State" className={classes.states}>
        <Link to="/jobs" search={days} className={classes.state} activeOptions={{ exact: true }} replace>
          All
        </Link>
        {filterStates.map((state) => (
          <Link key={state} to="/jobs" search={{ ...days, state }} className={classes.state} replace>
            {stateLabel(state)}
          </Link>
        ))}
      </nav>
      <CreatedFilter search={search} />
    </Group>
  );
}
