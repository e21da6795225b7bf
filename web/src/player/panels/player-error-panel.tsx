import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../design/time/clock.ts'
import { momentText } from '../../features/ground/days/showing-when.ts'
import { describeError } from '../../features/ground/errors/describe-error.ts'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { useUnlocking } from '../../features/rights/offers/unlocking.ts'
import { mayLeadTo } from '../../shell/menu-policy.ts'
import { useMenuReader } from '../../shell/use-menu-reader.ts'
import { usePlace } from '../../words/place.tsx'
import type { Words } from '../../words/words.ts'
import type { PlayerError } from '../engine/player-error.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { type ErrorAction, ErrorPanel } from './error-panel.tsx'
import { purchaseActions, soldContent } from './purchase-actions.ts'

const TEXTS: Record<Exclude<PlayerError['kind'], 'refused'>, keyof Words['player']> = {
  network: 'errorNetwork',
  licence: 'errorLicence',
  media: 'errorMedia',
  browser: 'errorBrowser',
  'unsupported-provider': 'errorProvider',
  code: 'errorParentalCode',
  download: 'errorDownload',
  'download-code': 'errorDownloadCode',
  scripts: 'errorScripts',
  unknown: 'errorUnknown',
}

/** The refusals of content that does not exist, or cannot be played now (V8-07). */
const UNAVAILABLE: ReadonlySet<PlayerError['refusal']> = new Set([
  'notFound',
  'channelNotFound',
  'resourceNotActive',
  'noMediaFound',
])

/**
 * The error that stopped the player. The most helpful action comes first, and leaving the player last. For locked
 * content, the panel also shows how to unlock it.
 */
export function PlayerErrorPanel({ actor }: { actor: PlayerActor }) {
  const { t: texts, i18n } = useTranslation()
  const { t } = useTranslation('player')
  const place = usePlace()
  const reader = useMenuReader()
  const error = useSelector(actor, (state) => state.context.error)
  const target = useSelector(actor, (state) => state.context.target)
  const content = error?.next === 'offers' ? soldContent(target) : undefined
  const { singles, subscriptions } = useUnlocking(content)
  const now = useNow()
  if (error === null) return null
  const back: ErrorAction = { text: t('backToTitle'), act: () => actor.send({ type: 'close' }) }
  const offers = pathOf('offers')
  // If viewers buy in the operator's external shop, that shop may have subscriptions that this service does not
  // list.
  const includes = reader.shop !== 'here' || subscriptions.length > 0
  const first: Record<PlayerError['next'], ErrorAction | null> = {
    back: null,
    retry: { text: t('retry'), act: () => actor.send({ type: 'retry' }) },
    code: { text: t('enterCode'), act: () => actor.send({ type: 'retry' }) },
    signIn: { text: t('signIn'), act: () => actor.getSnapshot().context.parts.signIn() },
    offers:
      mayLeadTo({ kind: 'internal', path: offers }, reader) && (singles.length === 0 || includes)
        ? { text: t('offers'), to: offers }
        : null,
  }
  const isUnavailable = UNAVAILABLE.has(error.refusal) && error.availableFrom === undefined
  const titleOf = ({ kind }: PlayerError) => {
    if (kind === 'code') return texts('parentalCode.title-popup')
    return isUnavailable ? texts('errors.unavailableTitle') : t('errorTitle')
  }
  const textOf = ({ refused, kind, availableFrom }: PlayerError) => {
    if (refused === undefined) return t(TEXTS[kind === 'refused' ? 'unknown' : kind])
    if (isUnavailable) return texts('errors.unavailable')
    // A refusal that the page itself has made has no message.
    if (availableFrom === undefined)
      return describeError(refused, texts, (key) => i18n.exists(key)).text || texts('errors.unavailable')
    return t('errorNotYet', { when: momentText(availableFrom, now, place, texts) })
  }
  const step = first[error.next]
  const purchases =
    content === undefined ? [] : purchaseActions(singles, content, { language: place.language, t: texts })
  return (
    <ErrorPanel
      title={titleOf(error)}
      text={textOf(error)}
      notes={error.playing?.map(({ title, device }) => {
        if (title === '') return device === '' ? t('playsElsewhere') : device
        return device === '' ? title : t('playsOn', { title, device })
      })}
      // Beside the question for the parental code, the code of an error looks like the answer.
      code={error.kind === 'code' ? undefined : t('errorCode', { code: error.code })}
      actions={[...purchases, ...(step === null ? [] : [step]), back]}
    />
  )
}
