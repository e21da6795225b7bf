import type { Channel, Programme } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { ActionRow, ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { BareLink } from '../../../design/buttons/link.tsx'
import { InfoIcon } from '../../../design/icons/icons.tsx'
import { Stage } from '../../../design/pictures/stage.tsx'
import { usePlace } from '../../../words/place.tsx'
import { spanText } from '../../ground/days/when.ts'
import { ForbiddenNote } from '../schedule/forbidden-note.tsx'
import { programmePath } from '../schedule/programme-path.ts'
import { StartOverButton } from '../schedule/start-over-button.tsx'
import { ChannelOffers, ChannelPlayButton } from './channel-offers.tsx'
import styles from './live-stage.module.css'
import { NowLine } from './now-line.tsx'
import { useStagePicture } from './use-stage-picture.ts'

/** The current programme of a channel, and the next programme. `now` is in seconds since the Unix epoch. */
export function LiveStage({
  channel,
  current,
  next,
  now,
}: {
  channel: Channel
  current: Programme
  next: Programme | undefined
  now: number
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const pictures = useStagePicture(current)
  return (
    <Stage
      {...pictures}
      heading="h2"
      eyebrow={`${channel.name} · ${t('tag.live')}`}
      tone="live"
      title={current.title}
      logo={null}
    >
      <NowLine programme={current} now={now} />
      <p className={styles.synopsis} dir="auto">
        {current.synopsis}
      </p>
      <ForbiddenNote programme={current} channel={channel} />
      <ChannelOffers channel={channel} />
      <ActionRow>
        <ChannelPlayButton channel={channel} />
        <StartOverButton key={current.id} programme={current} channel={channel} now={now} />
        <ButtonLink to={channel.detailRoute} label={t('home.moreInfoOf', { title: channel.name })}>
          <InfoIcon />
          <RowWords>{t('home.moreInfo')}</RowWords>
        </ButtonLink>
      </ActionRow>
      <p className={styles.next}>
        {next !== undefined && (
          <BareLink to={programmePath(next)} className={styles.following}>
            <span className={styles.when}>{t('guide.next')}</span>
            <span className={styles.title}>{next.title}</span>
            <span className={styles.when}>{spanText(next.startutc, next.endutc, place, t)}</span>
          </BareLink>
        )}
      </p>
    </Stage>
  )
}
