import {
  Box,
  Fieldset,
  Group,
  JsonInput,
  NativeSelect,
  NumberInput,
  Switch,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { SmallButton } from '../ui/action-button.tsx';
import { Note, Problem } from '../ui/text.tsx';
import { ticked, typed } from '../ui/typed.ts';
import { type FieldProps, ifAny, inputWrapperOrder, withValue } from './field-props.ts';
import { ItemAction } from './list-actions.tsx';
import classes from './new-job.module.css';
import { type Parameter, parseChoice, parseJson, parseList, parseScalar } from './parameter.ts';
import { SliderField } from './slider-field.tsx';
import type { Source } from './source.ts';
import { UrlField } from './url-field.tsx';

export function ParameterField(props: FieldProps) {
  const { parameter, value, error, onChange } = props;
  const { label, description, kind, defaultValue, choices, minimum, maximum, step, required } = parameter;
  const common = { label, description, error, required, inputWrapperOrder };
  // A text that is left out, such as a tag, is none.
  const automatic = required || kind === 'text' ? '' : 'Automatic';
  const placeholder = defaultValue === undefined ? automatic : String(defaultValue);
  switch (kind) {
    case 'slider':
      return <SliderField {...props} />;
    case 'list':
      return <ListField {...props} common={common} />;
    case 'group':
    case 'rows':
      return <NestedField {...props} />;
    case 'json':
      return <JsonField {...props} common={common} />;
    case 'url':
      return <UrlField {...common} value={(value ?? '') as Source} onChange={(url) => onChange(url || undefined)} />;
    case 'switch':
      return (
        <Switch
          label={label}
          description={description}
          error={error}
          {...ticked(Boolean(value ?? defaultValue), (checked) =>
            onChange(checked === defaultValue ? undefined : checked),
          )}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          data={[
            ...(defaultValue === undefined ? [{ value: '', label: required ? 'Choose one' : 'Automatic' }] : []),
            ...choices.map((choice) => ({
              value: String(choice),
              label: choice === defaultValue ? `${choice} (default)` : String(choice),
            })),
          ]}
          {...typed(String(value ?? defaultValue ?? ''), (text) => onChange(parseChoice(text, parameter)))}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          placeholder={placeholder}
          step={step}
          min={minimum}
          max={maximum}
          // Report a value out of range instead of silently changing it.
          clampBehavior="none"
          onChange={(next) => onChange(next === '' ? undefined : Number(next))}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          placeholder={placeholder}
          {...typed(String(value ?? ''), (text) => onChange(parseScalar(text, parameter)))}
        />
      );
  }
}

/** The properties that the inputs of all kinds have. */
type CommonProps = {
  common: Pick<TextInputProps, 'label' | 'description' | 'error' | 'required' | 'inputWrapperOrder'>;
};

/** Comma-separated texts or numbers. */
function ListField({ parameter, value, common, onChange }: FieldProps & CommonProps) {
  const { description, defaultValue } = parameter;
  const [text, setText] = useState(() => joinList(value));
  return (
    <TextInput
      {...common}
      description={`${description} Separate values with commas.`.trim()}
      placeholder={joinList(defaultValue) || 'Automatic'}
      {...typed(text, (next) => {
        setText(next);
        onChange(parseList(next, parameter));
      })}
    />
  );
}

function joinList(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : '';
}

/** Objects and lists of objects, as JSON. */
function JsonField({ parameter: { defaultValue: fallback }, value, common, onChange }: FieldProps & CommonProps) {
  return (
    <JsonInput
      {...common}
      autosize
      minRows={2}
      formatOnBlur
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      placeholder={fallback === undefined ? 'Automatic' : JSON.stringify(fallback)}
      validationError="Invalid JSON"
      onChange={(text) => onChange(parseJson(text))}
    />
  );
}

type Values = Readonly<Record<string, unknown>>;

/** An object whose values have fields, such as the tags of a podcast, or rows of them, such as captions in several languages. */
function NestedField({ parameter, value, error, onChange }: FieldProps) {
  const { kind, label, description, fields } = parameter;
  const rows = (Array.isArray(value) ? value : []) as Values[];
  const replace = (next: Values[]) => onChange(ifAny(next));
  return (
    <Fieldset legend={label} styles={{ legend: { fontWeight: 600 } }}>
      <Note size="xs" mb="xs">
        {description}
      </Note>
      {kind === 'group' ? <Fields fields={fields} values={(value ?? {}) as Values} onChange={onChange} /> : null}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position only.
        <Fieldset key={index} variant="unstyled" mx={0} mb={16} miw={0} aria-label={`${label} ${index + 1}`}>
          <Group align="flex-start" gap={8} wrap="nowrap">
            <Box flex={1}>
              <Fields fields={fields} values={row} onChange={(next = {}) => replace(rows.with(index, next))} />
            </Box>
            <ItemAction
              Icon={Trash2}
              label={`Remove ${label} ${index + 1}`}
              onClick={() => replace(rows.toSpliced(index, 1))}
            />
          </Group>
        </Fieldset>
      ))}
      <Problem error={error} my="xs" />
      {kind === 'rows' ? (
        <SmallButton Icon={Plus} onClick={() => replace([...rows, {}])}>
          Add {label.toLowerCase()}
        </SmallButton>
      ) : null}
    </Fieldset>
  );
}

type FieldsProps = { fields: readonly Parameter[]; values: Values; onChange: (values?: Values) => void };

function Fields({ fields, values, onChange }: FieldsProps) {
  return (
    <div className={classes.parameters}>
      {fields.map((field) => (
        <div key={field.name} data-wide={field.kind === 'url' || undefined}>
          <ParameterField
            parameter={field}
            value={values[field.name]}
            onChange={(value) => onChange(ifAny(withValue(values, field.name, value)))}
          />
        </div>
      ))}
    </div>
  );
}
