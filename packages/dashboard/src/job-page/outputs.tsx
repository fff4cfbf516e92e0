import { Progress, Table, Text } from '@mantine/core';
import { formatDollarsInColumn, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { labelFromCode } from '../format/labels.ts';
import { StateBadge } from '../job/state-badge.tsx';
import { UntrustedText } from '../ui/error-callout.tsx';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { Section } from '../ui/section.tsx';

/** The state, the progress and the cost of each output of a job. The warnings or the error of the job say why one has failed. */
export function Outputs({ job: { outputStates, request, cost } }: { job: JobResource }) {
  const states = Object.entries(outputStates ?? {});
  if (states.length === 0) return null;
  return (
    <Section title={states.length === 1 ? 'Output' : `${states.length} outputs`}>
      <ScrollableTable
        label="Outputs"
        minWidth={460}
        headings={['Output', 'State', 'Progress', 'Cost']}
        numeric={['Cost']}
      >
        {states.map(([name, { state, progress }]) => (
          <Table.Tr key={name}>
            <Table.Td>
              <UntrustedText>{name}</UntrustedText>
              <Text size="xs" c="dimmed">
                {describe(request.outputs?.[name])}
              </Text>
            </Table.Td>
            <Table.Td>
              <StateBadge state={state} />
            </Table.Td>
            <Table.Td miw={120}>
              <Text size="xs" c="dimmed" className="numbers">
                {progress}%
              </Text>
              <Progress.Root size={6}>
                <Progress.Section value={progress} aria-label={`Progress of ${replaceUnsafeCharacters(name)}`} />
              </Progress.Root>
            </Table.Td>
            <Table.Td ta="end">{costOf(cost?.outputs?.[name])}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollableTable>
    </Section>
  );
}

/** Known once the job has ended. */
function costOf(cost: { usd: number } | undefined): string {
  return cost === undefined ? '–' : formatDollarsInColumn(cost.usd);
}

type RequestedOutput = NonNullable<JobResource['request']['outputs']>[string];

/** Such as `Thumbnail to jpg, from small`. */
function describe(output: RequestedOutput | undefined): string {
  if (output === undefined) return '';
  const { recipe, format, from } = output;
  return `${labelFromCode(recipe.name)} to ${format}${from === undefined ? '' : `, from ${from}`}`;
}
