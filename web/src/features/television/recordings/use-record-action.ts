import type { Programme } from '@ondine/contract/entities'
import { type RecordedState, recordedStateOf } from '@ondine/contract/recording-states'
import type { Recording } from '@ondine/contract/recordings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../ground/links/content-link.ts'
import { record, remove, retry } from './record.ts'
import { useCanContinue, useRecorded } from './recorded-programmes.ts'

/** The action of a record button. */
export interface RecordAction {
  /**
   * The state of the programme's recording; `none` without a recording, and for one that can be continued.
   */
  state: RecordedState | 'none'
  text: string
  /** Whether a press starts or cancels a recording. Otherwise, a press leaves the page for the recordings. */
  doesRecord: boolean
  /** The recording that a press continues, if any. */
  continued: Recording | undefined
  isPending: boolean
  press: () => void
}

/**
 * Returns the action of a programme's record button. Without a programme, the hook fetches nothing and the action
 * does nothing.
 *
 * @param onRecorded called after a press has recorded the programme
 */
export function useRecordAction(
  programme: Pick<Programme, 'id' | 'id_channel' | 'endutc'> | undefined,
  onRecorded?: () => void,
): RecordAction {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const recorded = useRecorded({ enabled: programme !== undefined })
  const known = programme && recorded.get(programme.id)
  const canContinue = useCanContinue(known, programme?.endutc)
  const recording = canContinue ? undefined : known
  const state = recording === undefined ? 'none' : recordedStateOf(recording.state)
  const isRetried = state === 'failed' && recording !== undefined && recording.next !== null
  const act = useMutation({ mutationFn: async () => await run() })
  return {
    state,
    text: t(isRetried ? 'recordings.retry' : `recordings.button-${state}`),
    doesRecord: isRetried || state === 'none' || state === 'planned' || state === 'recording',
    continued: canContinue ? known : undefined,
    isPending: act.isPending,
    press: () => void act.mutateAsync(),
  }

  async function run(): Promise<void> {
    if (programme === undefined) return
    if (recording === undefined) return await follow(await record(queries, programme, t, onRecorded))
    if (state === 'planned' || state === 'recording') return await remove(queries, recording, t)
    if (isRetried) return await follow(await retry(queries, recording, t))
    await navigate({ href: pathOf('library-completed-records') })
  }

  /** Opens the offers, if the viewer wants to see them. */
  async function follow(offers: string | undefined): Promise<void> {
    if (offers !== undefined) await navigate({ href: offers })
  }
}
