import { Button, Group, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import classes from './job-filters.module.css';
import { filterStates, type JobsSearch } from './jobs-search.ts';
import { stateLabel } from './state-badge.tsx';

/** Which jobs the list shows: by state, and by the days of their creation. */
export function JobFilters({ search }: { search: JobsSearch }) {
  const { state: _, ...days } = search;
  const hasDays = search.from !== undefined || search.to !== undefined;
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
      <Group gap="xs" wrap="nowrap">
        <Day label="Created from" side="from" search={search} />
        <span aria-hidden>–</span>
        <Day label="Created until" side="to" search={search} />
        {hasDays ? (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            renderRoot={(props) => (
              <Link
                to="/jobs"
                search={search.state === undefined ? {} : { state: search.state }}
                replace
                {...props}
              />
            )}
          >
            Clear
          </Button>
        ) : null}
      </Group>
    </Group>
  );
}

function Day({ label, side, search }: { label: string; side: 'from' | 'to'; search: JobsSearch }) {
  const navigate = useNavigate();
  return (
    <TextInput
      type="date"
      size="xs"
      w={132}
      aria-label={label}
      value={search[side] ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const { [side]: _, ...others } = search;
        void navigate({
          to: '/jobs',
          search: value === '' ? others : { ...others, [side]: value },
          replace: true,
        });
      }}
    />
  );
}
