import type { RecordedEpisodes } from '@ondine/contract/recordings'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { ChoiceRow, ChoiceRows } from '../../design/fields/choice-row.tsx'
import { SelectField } from '../../design/fields/select-field.tsx'
import { Switch } from '../../design/fields/switch.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './choice-form.module.css'

/** Options for the number of recordings to keep. */
const KEPT = [1, 3, 5, 10, 20]

const EPISODES = ['new', 'all'] as const satisfies readonly RecordedEpisodes[]

/** Value of the option that keeps all recordings. */
const ALL = 'all'

/** How a series is recorded: which episodes, on which channels, and how many are kept. */
export function RecordSeriesView({ modal, answer }: ModalViewProps<'recordSeries'>) {
  const { t } = useTranslation('modals')
  const form = useId()
  const { channel, isRecorded } = modal
  const [rule, setRule] = useState(modal.rule)
  const { keepLast } = rule
  const kept = keepLast === null || KEPT.includes(keepLast) ? KEPT : [...KEPT, keepLast].toSorted(byNumber)

  function submit(event: FormEvent): void {
    event.preventDefault()
    answer(rule)
  }

  return (
    <ModalFrame
      title={modal.title || t(isRecorded ? 'recordSeriesChangeTitle' : 'recordSeriesTitle')}
      text={modal.description}
      onClose={() => answer(null)}
      actions={
        <>
          <Button look="primary" type="submit" form={form}>
            {modal.primaryLabel || t(isRecorded ? 'recordSeriesSave' : 'recordSeriesGo')}
          </Button>
          <Button onPress={() => answer(null)}>{t('cancel')}</Button>
          {isRecorded && (
            <Button look="plain" onPress={() => answer('end')}>
              {t('recordSeriesEnd')}
            </Button>
          )}
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <ChoiceRows
          aria-label={t('recordSeriesEpisodes')}
          value={rule.episodes}
          onChange={(episodes) => setRule({ ...rule, episodes: episodesIn(episodes) })}
        >
          {EPISODES.map((episodes) => (
            <ChoiceRow key={episodes} value={episodes}>
              <span className={styles.choice}>
                <span>{t(episodes === 'new' ? 'recordSeriesNew' : 'recordSeriesAll')}</span>
                <span className={styles.note}>
                  {t(episodes === 'new' ? 'recordSeriesNewNote' : 'recordSeriesAllNote')}
                </span>
              </span>
            </ChoiceRow>
          ))}
        </ChoiceRows>
        {channel !== null && (
          <Switch
            label={t('recordSeriesAnyChannel')}
            note={t('recordSeriesOneChannel', { channel })}
            isSelected={rule.anyChannel}
            onChange={(anyChannel) => setRule({ ...rule, anyChannel })}
          />
        )}
        <SelectField
          name="keepLast"
          label={t('recordSeriesKeep')}
          placeholder=""
          options={[
            { id: ALL, title: t('recordSeriesKeepAll') },
            ...kept.map((count) => ({ id: String(count), title: t('recordSeriesKeepLast', { count }) })),
          ]}
          value={keepLast === null ? ALL : String(keepLast)}
          onChange={(count) => setRule({ ...rule, keepLast: count === ALL ? null : Number(count) })}
        />
      </form>
    </ModalFrame>
  )
}

function byNumber(one: number, other: number): number {
  return one - other
}

function episodesIn(value: string): RecordedEpisodes {
  return value === 'all' ? 'all' : 'new'
}
