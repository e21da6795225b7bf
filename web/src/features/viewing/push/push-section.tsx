import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Switch } from '../../../design/fields/switch.tsx'
import { Section, SectionSkeleton, SectionText } from '../../../design/page/section.tsx'
import { alertError } from '../../ground/errors/alert-error.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { useSession } from '../../ground/session/session.ts'
import { readPushState, switchOff, switchOn } from './push.ts'

/**
 * Switches the notifications of the active profile in this browser on and off. The server renders a skeleton,
 * because only the browser knows the current state.
 */
export function PushSection() {
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
  return isInBrowser ? <PushSwitch /> : <SectionSkeleton />
}

function PushSwitch() {
  const { t } = useTranslation()
  const { profile } = useSession()
  const queries = useQueryClient()
  const profileId = profile?.id ?? 0
  const state = queryOptions({
    queryKey: ['pushState', profileId],
    queryFn: readPushState,
    // The viewer can block notifications in the browser at any time.
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
  const change = useMutation({
    mutationFn: async (publicKey: string | null) => {
      if (publicKey === null) await switchOff()
      else await switchOn(queries, publicKey, profileId)
    },
    onError: alertError,
    onSettled: async () => await queries.invalidateQueries({ queryKey: state.queryKey }),
  })
  const title = t('push.title')
  return (
    <Section id="push" title={title}>
      <QueryPart name={title} query={state} waiting={<SectionSkeleton />}>
        {(known) =>
          known.kind === 'unsupported' || known.kind === 'blocked' ? (
            <SectionText>{t(`push.${known.kind}`)}</SectionText>
          ) : (
            <Switch
              label={t('push.label', { name: profile?.name })}
              note={t('push.note')}
              isSelected={known.kind === 'on'}
              isDisabled={change.isPending}
              onChange={(isOn) => change.mutate(isOn ? known.publicKey : null)}
            />
          )
        }
      </QueryPart>
    </Section>
  )
}
