import type { FieldFault } from '@ondine/contract/field-faults'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import {
  type Control,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type PathValue,
  type Resolver,
  type ResolverError,
  useForm as useHookForm,
} from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { refusalLine } from './refusal-line.ts'
import { type FormSchema, schemaFaults } from './schema-faults.ts'
import { serverFaults } from './server-faults.ts'

export interface FormOptions<Values extends FieldValues, Sent> {
  /** Initial values. They must contain every field of the form. */
  initial: Values
  /** Imports the schema from a `*.schema.ts`, so that its code loads with the form and not with the page. */
  schema: () => Promise<FormSchema<Values, Sent>>
  /**
   * Sends the form. @throws ApiError whose faults are shown at their fields, or below the form if it shows none of these
   * fields. Any other error is reported, and shown as unknown
   */
  onSubmit: (sent: Sent) => Promise<void>
  /**
   * Returns this form's own text for a call that the service refuses (spec 40), and its field; undefined to show the
   * service's faults and text. The text is shown at its field and those that the service names (A8.2-02), or else
   * below the form.
   */
  refusalOf?: (error: ApiError) => { field: string | null; text: string } | undefined
}

/** The state of a form. The components of the form receive this state as `form`. */
export interface FormHandle<Values extends FieldValues> {
  // The `control` of React Hook Form. Components use it only to connect fields.
  control: Control<Values, unknown, unknown>
  submit: (event: FormEvent<HTMLFormElement>) => void
  /** Adopts the values that were typed before hydration. */
  takeOver: (element: HTMLFormElement | null) => void
  /** The error message of the whole form. */
  refusal: string | undefined
  /** Sets values from outside. Validates only fields that already show an error. */
  fill: (values: Partial<Values>) => void
  /** Shows a fault on a field, even before the field loses the focus (A5-01). */
  force: (name: FieldPath<Values>, fault: FieldFault) => void
  /** Returns the current values. */
  values: () => Values
}

/**
 * Creates a form with the general rules (V5, A5): a field shows its fault after it loses the focus, or after
 * a submit. The service's faults appear on their fields. A form cannot be sent a second time while it is
 * being sent.
 */
export function useForm<Values extends FieldValues, Sent>({
  initial,
  schema,
  onSubmit,
  refusalOf,
}: FormOptions<Values, Sent>): FormHandle<Values> {
  const { t } = useTranslation()
  const [refusal, setRefusal] = useState<string>()
  const underWay = useRef(false)
  const form = useHookForm<Values, unknown, Sent>({
    // The library's type allows missing fields, but `initial` contains every field.
    defaultValues: initial as DefaultValues<Values>,
    mode: 'onTouched',
    resolver: resolverOf(schema),
  })
  const { getValues, setValue, subscribe, trigger } = form
  const names = Object.keys(initial) as FieldPath<Values>[]

  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ name: edited, type, values, isSubmitted = false, touchedFields = {}, errors }) => {
          setRefusal(undefined)
          if (type !== 'change') return
          // React Hook Form validates only the edited field, but another field may have to be equal to that field.
          const others = (Object.keys(values) as FieldPath<Values>[]).filter(
            (name) =>
              name !== edited &&
              Boolean(values[name]) &&
              (isSubmitted || name in touchedFields) &&
              errors?.[name]?.type !== 'forced',
          )
          if (others.length > 0) void trigger(others)
        },
      }),
    [subscribe, trigger],
  )

  const takeOver = useCallback(
    (element: HTMLFormElement | null) => {
      for (const field of element?.elements ?? []) {
        if (!(field instanceof HTMLInputElement) || field.value === '') continue
        const name = field.name as FieldPath<Values>
        if (typeof getValues(name) === 'boolean') {
          setValue(name, field.checked as PathValue<Values, typeof name>, { shouldDirty: true })
          continue
        }
        // A field whose value in the form is not empty keeps that value.
        if (getValues(name) !== '') continue
        setValue(name, field.value as PathValue<Values, typeof name>, { shouldDirty: true })
      }
    },
    [getValues, setValue],
  )

  function force(name: FieldPath<Values>, faultOrText: string): void {
    form.setError(name, { type: 'forced', message: faultOrText }, { shouldFocus: true })
  }

  async function send(sent: Sent, element: HTMLFormElement): Promise<void> {
    try {
      await onSubmit(sent)
    } catch (error) {
      if (!(error instanceof ApiError)) {
        // `ErrorWatch` reports the fault, as it reports the faults of all parts of the page.
        reportError(error)
        setRefusal(t('errors.unknown'))
        return
      }
      const own = refusalOf?.(error)
      const faults = serverFaults(error.details, names)
      const named = names.filter((name) => name === own?.field || faults[name] !== undefined)
      // In reverse order: each field with a fault takes the focus, so the first such field gets it last.
      for (const name of named.toReversed()) force(name, own?.text ?? faults[name] ?? '')
      const isAnyShown = named.some((name) => element.elements.namedItem(name) !== null)
      if (!isAnyShown) setRefusal(own?.text ?? wordsOf(error))
    }
  }

  function wordsOf(error: ApiError): string {
    if (error.details === null && error.status >= 500) return t('errors.offline')
    return refusalLine(error, error.message, t)
  }

  async function submitOnce(event: FormEvent<HTMLFormElement>): Promise<void> {
    const { currentTarget } = event
    underWay.current = true
    setRefusal(undefined)
    try {
      await form.handleSubmit(
        async (sent) => await send(sent, currentTarget),
        (errors) => {
          if (errors.root !== undefined) setRefusal(t('errors.offline'))
        },
      )(event)
    } finally {
      underWay.current = false
    }
  }

  return {
    control: form.control,
    takeOver,
    refusal,
    force,
    submit: (event) => {
      event.preventDefault()
      // For a moment after a press, the button is not disabled yet and can be pressed again.
      if (!underWay.current) void submitOnce(event)
    },
    fill: (values) => {
      setRefusal(undefined)
      for (const name of names) {
        const value = values[name]
        if (value === undefined) continue
        setValue(name, value, { shouldDirty: true, shouldValidate: form.getFieldState(name).invalid })
      }
    },
    values: () => getValues(),
  }
}

function resolverOf<Values extends FieldValues, Sent>(
  load: () => Promise<FormSchema<Values, Sent>>,
): Resolver<Values, unknown, Sent> {
  return async (values) => {
    const schema = await load().catch((cause: unknown) => ({ cause }))
    // Without the schema no field can be validated, so nothing is sent.
    if ('cause' in schema) return faulty({ root: { type: 'unreachable' } })
    const parsed = schema.safeParse(values)
    if (parsed.success) return { values: parsed.data, errors: {} }
    const faults = Object.entries(schemaFaults(parsed.error.issues, values))
    return faulty(Object.fromEntries(faults.map(([name, message]) => [name, { type: 'schema', message }])))
  }
}

function faulty<Values extends FieldValues>(
  errors: Record<string, { type: string; message?: string | undefined }>,
): ResolverError<Values> {
  // The library's type has one property for each field, but here a field is only a path.
  return { values: {}, errors: errors as FieldErrors<Values> }
}
