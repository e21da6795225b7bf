import type { Recording } from '@ondine/contract/recordings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { Select } from '../../../design/fields/select.tsx'
import { secondsText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { arrange, ORDERS, type RecordingGroup } from './arrange.ts'
import { removeMany } from './record.ts'
import styles from './recording-list.module.css'
import { RecordingRow, type RowChoice } from './recording-row.tsx'

/** Number of recordings of a series that are shown until the viewer requests all of them. */
const SHOWN = 3

/**
 * The recordings of a tab of the library, by series, in the order that the viewer chooses. The viewer can select
 * several recordings and remove them together.
 */
export function RecordingList({
  label,
  shows,
  recordings,
}: {
  label: string
  shows: 'completed' | 'scheduled'
  recordings: readonly Recording[]
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { language } = usePlace()
  const [order, setOrder] = useState(0)
  const [chosen, setChosen] = useState<ReadonlySet<number>>()
  const groups = arrange(recordings, ORDERS[order] ?? 'date', {
    isAscending: shows === 'scheduled',
    language,
  })
  const selected = recordings.filter(({ id }) => chosen?.has(id))
  const removing = useMutation({
    mutationFn: async () => {
      try {
        await removeMany(queries, selected, t)
      } finally {
        setChosen(undefined)
      }
    },
  })
  const choiceOf = ({ id }: Recording): RowChoice | undefined =>
    chosen && {
      isSelected: chosen.has(id),
      onChange: (isSelected) => {
        const next = new Set(chosen)
        if (isSelected) next.add(id)
        else next.delete(id)
        setChosen(next)
      },
    }
  const isAll = selected.length === recordings.length
  return (
    <>
      <div className={styles.tools}>
        <Select
          label={t('recordings.sort')}
          options={ORDERS.map((name, id) => ({ id, title: t(`recordings.sort-${name}`) }))}
          value={order}
          onChange={setOrder}
        />
        <Button onPress={() => setChosen(chosen === undefined ? new Set() : undefined)}>
          {t(chosen === undefined ? 'recordings.select' : 'recordings.selectDone')}
        </Button>
      </div>
      <ul className={styles.list} aria-label={label}>
        {groups.map((group) => (
          <li key={group.title}>
            <Group group={group} choiceOf={choiceOf} />
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <section className={styles.selection} aria-label={t('recordings.select')}>
          <output className={styles.count}>
            {selected.length === 0
              ? t('recordings.selectedNone')
              : t('recordings.selected', {
                  count: selected.length,
                  length: secondsText(
                    selected.reduce((sum, { duration }) => sum + duration, 0),
                    t,
                  ),
                })}
          </output>
          <Button onPress={() => setChosen(isAll ? new Set() : new Set(recordings.map(({ id }) => id)))}>
            {t(isAll ? 'recordings.selectNone' : 'recordings.selectAll')}
          </Button>
          <Button
            className={styles.remove}
            isDisabled={selected.length === 0}
            isPending={removing.isPending}
            onPress={() => void removing.mutateAsync()}
          >
            {t(`recordings.removeMany-${shows}`)}
          </Button>
        </section>
      )}
    </>
  )
}

/** The recordings of a series, or a single recording. */
function Group({
  group: { title, recordings, duration },
  choiceOf,
}: {
  group: RecordingGroup
  choiceOf: (recording: Recording) => RowChoice | undefined
}) {
  const { t } = useTranslation()
  const [whole, setWhole] = useState(false)
  const [single, ...others] = recordings
  if (single !== undefined && others.length === 0)
    return <RecordingRow recording={single} choice={choiceOf(single)} />
  return (
    <section className={styles.group} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title} dir="auto">
          {title}
        </h2>
        <p className={styles.facts}>
          {t('recordings.groupCount', { count: recordings.length, length: secondsText(duration, t) })}
        </p>
      </div>
      <ul className={styles.list}>
        {recordings.slice(0, whole ? undefined : SHOWN).map((recording) => (
          <li key={recording.id}>
            <RecordingRow recording={recording} inSeries choice={choiceOf(recording)} />
          </li>
        ))}
      </ul>
      {recordings.length > SHOWN && (
        <Button className={styles.all} aria-expanded={whole} onPress={() => setWhole(!whole)}>
          {whole ? t('recordings.showLess') : t('recordings.showAll', { count: recordings.length })}
        </Button>
      )}
    </section>
  )
}
