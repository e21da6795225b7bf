import type { Channel, Programme } from '@ondine/contract/entities'
import { recordedStateOf } from '@ondine/contract/recording-states'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, RowWords } from '../../../design/buttons/button.tsx'
import { RecordIcon } from '../../../design/icons/screen-icons.tsx'
import { channelAction } from '../../content/catalogue/playing.ts'
import { useSession } from '../../ground/session/session.ts'
import { record, remove } from './record.ts'
import styles from './record-button.module.css'
import { useRecorded } from './recorded-programmes.ts'

/**
 * Records a programme, or undoes that: cancels the planned recording, or stops the running one. Viewers who may not
 * play the channel learn from its play button what they need.
 */
export function RecordButton({ programme, channel }: { programme: Programme; channel: Channel }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayRecord = useMayRecord({ programme, channel })
  const recording = useRecorded().get(programme.id)
  const toggle = useMutation({
    mutationFn: async () => {
      if (recording !== undefined) return await remove(queries, recording, t)
      const offers = await record(queries, programme)
      if (offers !== undefined) await navigate({ href: offers })
    },
  })
  if (!mayRecord) return null
  const state = recording === undefined ? 'none' : recordedStateOf(recording.state)
  return (
    <Button
      className={styles.record}
      data-state={state}
      isPending={toggle.isPending}
      onPress={() => void toggle.mutateAsync()}
    >
      <RecordIcon />
      <RowWords>{t(`recordings.button-${state}`)}</RowWords>
    </Button>
  )
}

/** Returns whether the viewer may record a programme: one that can be recorded, on a channel that the viewer may play. */
export function useMayRecord({ programme, channel }: { programme: Programme; channel: Channel }): boolean {
  const { t } = useTranslation()
  const { kind } = channelAction(channel, useSession(), channel.detailRoute, t)
  return programme.npvrEnabled && kind === 'play'
}
