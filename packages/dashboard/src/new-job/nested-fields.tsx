import { Fieldset } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { SmallButton } from '../ui/action-button.tsx';
import { Note, Problem } from '../ui/text.tsx';
import type { FieldProps } from './field-props.ts';
import { ItemAction } from './list-actions.tsx';
import classes from './new-job.module.css';
import type { Parameter } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';

type Values = Readonly<Record<string, unknown>>;

/** The field of a parameter, whatever its kind. */
export function AnyParameterField(props: FieldProps) {
  if (props.parameter.kind === 'group') return <GroupField {...props} />;
  if (props.parameter.kind === 'rows') return <RowsField {...props} />;
  return <ParameterField {...props} />;
}

/** An object whose values have fields, such as the tags of a podcast. */
function GroupField({ parameter, value, error, onChange }: FieldProps) {
  const { label, description, fields } = parameter;
  return (
    <Fieldset legend={label} className={classes.group}>
      <Note size="xs" mb="xs">
        {description}
      </Note>
      <Fields fields={fields} values={(value ?? {}) as Values} onChange={onChange} />
      <Problem error={error} my="xs" />
    </Fieldset>
  );
}

/** A list of objects, one row for each, such as captions in several languages. */
function RowsField({ parameter, value, error, onChange }: FieldProps) {
  const { label, description, fields } = parameter;
  const rows = (Array.isArray(value) ? value : []) as Values[];
  const replace = (next: Values[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <Fieldset legend={label} className={classes.group}>
      <Note size="xs" mb="xs">
        {description}
      </Note>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position only.
        <fieldset key={index} className={classes.row} aria-label={`${label} ${index + 1}`}>
          <Fields fields={fields} values={row} onChange={(next) => replace(rows.with(index, next ?? {}))} />
          <ItemAction
            Icon={Trash2}
            label={`Remove ${label} ${index + 1}`}
            onClick={() => replace(rows.toSpliced(index, 1))}
          />
        </fieldset>
      ))}
      <Problem error={error} my="xs" />
      <SmallButton Icon={Plus} onClick={() => replace([...rows, {}])}>
        Add {label.toLowerCase()}
      </SmallButton>
    </Fieldset>
  );
}

function Fields({
  fields,
  values,
  onChange,
}: {
  fields: readonly Parameter[];
  values: Values;
  onChange: (values: Values | undefined) => void;
}) {
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = values;
    const next = value === undefined ? others : { ...others, [name]: value };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <div className={classes.parameters}>
      {fields.map((field) => (
        <div key={field.name} data-wide={field.kind === 'url' || undefined}>
          <ParameterField parameter={field} value={values[field.name]} onChange={(value) => set(field.name, value)} />
        </div>
      ))}
    </div>
  );
}
