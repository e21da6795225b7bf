import type { Channel, Programme } from '@ondine/contract/entities'
import { recordedStateOf } from '@ondine/contract/recording-states'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, RowWords } from '../../../design/buttons/button.tsx'
import { RecordIcon } from '../../../design/icons/screen-icons.tsx'
import { channelAction } from '../../content/catalogue/playing.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { record, remove, retry } from './record.ts'
import styles from './record-button.module.css'
import { useRecorded } from './recorded-programmes.ts'

/**
 * Records a programme, or undoes that: cancels the planned recording, or stops the running one. A finished recording is
 * not deleted here: the button leads to it. After a failed one, the button records the next showing, if there is one.
 * Viewers who may not play the channel learn from its play button what they need.
 */
export function RecordButton({ programme, channel }: { programme: Programme; channel: Channel }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayRecord = useMayRecord({ programme, channel })
  const recording = useRecorded().get(programme.id)
  const state = recording === undefined ? 'none' : recordedStateOf(recording.state)
  const isRetried = state === 'failed' && recording !== undefined && recording.next !== null
  const act = useMutation({ mutationFn: async () => await press() })
  if (!mayRecord) return null
  return (
    <Button
      className={styles.record}
      data-state={state}
      isPending={act.isPending}
      onPress={() => void act.mutateAsync()}
    >
      <RecordIcon />
      <RowWords>{t(isRetried ? 'recordings.retry' : `recordings.button-${state}`)}</RowWords>
    </Button>
  )

  async function press(): Promise<void> {
    if (recording === undefined) return await follow(await record(queries, programme))
    if (state === 'planned' || state === 'recording') return await remove(queries, recording, t)
    if (isRetried) return await follow(await retry(queries, recording))
    await navigate({ href: pathOf('library-completed-records') })
  }

  /** Opens the offers, if the viewer wants to see them. */
  async function follow(offers: string | undefined): Promise<void> {
    if (offers !== undefined) await navigate({ href: offers })
  }
}

/** Returns whether the viewer may record a programme: one that can be recorded, on a channel that the viewer may play. */
export function useMayRecord({ programme, channel }: { programme: Programme; channel: Channel }): boolean {
  const { t } = useTranslation()
  const { kind } = channelAction(channel, useSession(), channel.detailRoute, t)
  return programme.npvrEnabled && kind === 'play'
}
