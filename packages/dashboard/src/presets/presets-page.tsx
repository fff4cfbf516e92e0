import '../styles/deferred.ts';
import { Button, Group, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/time.ts';
import { taskLabel } from '../job/job-labels.ts';
import { SmallAction } from '../ui/action-button.tsx';
import { LoadedList } from '../ui/loaded-list.tsx';
import { Page } from '../ui/page.tsx';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { Note, UntrustedLine } from '../ui/text.tsx';
import { type PresetVersion, presetsKey, usePresets } from './use-presets.ts';

export function PresetsPage() {
  const query = usePresets();
  return (
    <Page title="Presets" lead="A preset is a saved request. A job can name it in place of recipes.">
      <LoadedList
        name="presets"
        query={query}
        none="No presets yet"
        hint="Open a job that made what you want, and save its request as a preset."
      >
        {(presets) => (
          <ScrollableTable label="Presets" minWidth={720} headings={['Preset', 'Makes', 'State', 'Created', 'Action']}>
            {presets.map((preset) => (
              <PresetRow key={preset.label} preset={preset} />
            ))}
          </ScrollableTable>
        )}
      </LoadedList>
    </Page>
  );
}

function PresetRow({ preset }: { preset: PresetVersion }) {
  const { label, title, description, request, draft, retired, source, createdAt } = preset;
  return (
    <Table.Tr>
      <Table.Td>
        <UntrustedLine fw={600}>{title}</UntrustedLine>
        <code>{label}</code>
        <UntrustedLine size="xs" c="dimmed">
          {description}
        </UntrustedLine>
      </Table.Td>
      <Table.Td>{taskLabel({ request })}</Table.Td>
      <Table.Td>{retired ? 'Retired' : draft ? 'Draft' : 'Published'}</Table.Td>
      <Table.Td>
        {formatDateTime(createdAt)}
        <Note size="xs">{source === 'stage' ? 'by the operator' : 'in this account'}</Note>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            aria-label={`Use ${label}`}
            renderRoot={(props) => <Link to="/new" search={{ preset: label }} {...props} />}
          >
            Use
          </Button>
          {source === 'stage' ? null : <StateButton preset={preset} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Publishes a draft, retires a published version, or takes that back. */
function StateButton({ preset: { name, version, label, draft, retired } }: { preset: PresetVersion }) {
  const body = draft && !retired ? { draft: false } : { retired: !retired };
  const change = useAction({
    act: (client) => client.updatePreset({ params: { name, version: String(version) }, body }),
    changes: presetsKey,
    failure: 'Could not change the preset',
  });
  return <SmallAction label={retired ? 'Restore' : draft ? 'Publish' : 'Retire'} subject={label} action={change} />;
}
