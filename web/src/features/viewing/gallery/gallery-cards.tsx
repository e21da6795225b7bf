import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { Card, type CardContent } from '../../../design/cards/card.tsx'
import { OfferCard } from '../../../design/cards/offer-card.tsx'
import { InfoIcon, PlayIcon } from '../../../design/icons/icons.tsx'
import { Grid } from '../../../design/lists/grid.tsx'
import { Stage } from '../../../design/pictures/stage.tsx'
import { Rail } from '../../../design/rails/rail.tsx'
import { useNow } from '../../../design/time/clock.ts'
import {
  type CardLayout,
  isUpright,
  type OfferLayout,
  type StageLayout,
} from '../../../design/tokens/layouts.ts'
import { ART, MISSING } from './gallery-art.ts'
import styles from './gallery-cards.module.css'
import { useGalleryPrices } from './gallery-prices.ts'
import { GallerySection } from './gallery-section.tsx'

const CARDS: CardLayout[] = ['Cover', 'Poster', 'PosterDetail', 'Totem', 'Circle', 'Inline']
const OFFERS: OfferLayout[] = ['OfferWide', 'OfferSquare', 'OfferDiscover']
const STAGES: StageLayout[] = ['Hero', 'FullScreen']
const FILMS = ['houle', 'ville', 'sables', 'apogee', 'nord', 'encre'] as const
/** Length of the gallery's live programmes, in seconds. */
const SPAN = 600

/** Cards in every layout and state, in rails and grids, and then offers and stages. */
export function GalleryCards() {
  const { t } = useTranslation('gallery')
  return (
    <>
      <div className={styles.rails}>
        {CARDS.map((layout, index) => (
          <CardRail key={layout} layout={layout} pagination={index === 0} />
        ))}
      </div>
      <GallerySection title={t('sections.grids')} wide>
        <CardGrid layout="Cover" />
        <CardGrid layout="Poster" />
        <CardGrid layout="Inline" />
      </GallerySection>
      <GallerySection title={t('sections.offers')} wide>
        {OFFERS.map((layout) => (
          <OfferRail key={layout} layout={layout} />
        ))}
      </GallerySection>
      <GallerySection title={t('sections.stages')} wide>
        {STAGES.map((layout) => (
          <GalleryStage key={layout} layout={layout} />
        ))}
      </GallerySection>
    </>
  )
}

function CardRail({ layout, pagination }: { layout: CardLayout; pagination: boolean }) {
  const { t } = useTranslation('gallery')
  const cards = useCards(layout)
  return (
    <Rail
      title={layout}
      layout={layout}
      pagination={pagination}
      more={{ to: '/all-content', text: t('all'), label: t('all') }}
      words={{
        previous: t('layoutWords.previous', { title: layout }),
        next: t('layoutWords.next', { title: layout }),
        page: (page, pages) => t('layoutWords.page', { page, pages }),
      }}
    >
      {cards.map(({ id, ...card }) => (
        <Card key={id} layout={layout} {...card} />
      ))}
    </Rail>
  )
}

function CardGrid({ layout }: { layout: CardLayout }) {
  const cards = useCards(layout)
  return (
    <Grid layout={layout} label={layout}>
      {cards.map(({ id, ...card }) => (
        <Card key={id} layout={layout} {...card} />
      ))}
    </Grid>
  )
}

/** Returns one card for each state that a card can have. */
function useCards(layout: CardLayout): (CardContent & { id: string })[] {
  const { t } = useTranslation('gallery')
  const prices = useGalleryPrices()
  const now = useNow()
  const art = (name: (typeof FILMS)[number]) => ART[name]?.[isUpright(layout) ? 'upright' : 'wide'] ?? null
  const film = (name: (typeof FILMS)[number], more: Partial<CardContent> = {}) => ({
    id: name,
    to: '/',
    title: t(`films.${name}`),
    subtitle: t('subtitle'),
    text: t('synopsis'),
    image: art(name),
    ...more,
  })
  const texts = { live: t('tag.live'), starts: t('tag.soon'), done: t('tag.done') }
  // The live programmes are short, so that their progress bar visibly moves.
  const begun = now - (now % SPAN)
  return [
    film('houle', { tags: [{ tone: 'new', text: t('tag.new') }] }),
    film('ville', { progress: 0.64 }),
    {
      ...film('sables', {
        airing: { startutc: begun, endutc: begun + SPAN, texts },
        corner: <span className={styles.corner}>{t('channel')}</span>,
      }),
    },
    film('apogee', {
      tags: [
        { tone: 'lock', text: t('tag.lock') },
        { tone: 'price', text: prices.rental },
      ],
    }),
    film('nord', { tags: [{ tone: 'leaving', text: t('tag.leaving'), label: t('tag.leavingLabel') }] }),
    film('encre', { blurred: t('adult') }),
    { ...film('houle', { title: t('long'), subtitle: t('long'), text: t('long') }), id: 'long' },
    { ...film('ville', { title: t('letter'), subtitle: undefined, text: undefined }), id: 'letter' },
    { ...film('sables', { title: t('rightToLeft'), text: t('rightToLeft') }), id: 'rightToLeft' },
    { ...film('nord', { image: null }), id: 'none' },
    { ...film('apogee', { image: MISSING, title: t('films.encre') }), id: 'missing' },
    {
      ...film('encre', { airing: { startutc: begun + 10 * SPAN, endutc: begun + 11 * SPAN, texts } }),
      id: 'starts',
    },
    { ...film('nord', { airing: { startutc: 0, endutc: 1, texts } }), id: 'done' },
    { ...film('apogee', { dimmed: true }), id: 'dimmed' },
  ]
}

function OfferRail({ layout }: { layout: OfferLayout }) {
  const { t } = useTranslation('gallery')
  const prices = useGalleryPrices()
  const features = t('offer.features', { returnObjects: true })
  return (
    <Rail
      title={layout}
      layout={layout}
      words={{
        previous: t('layoutWords.previous', { title: layout }),
        next: t('layoutWords.next', { title: layout }),
      }}
    >
      <OfferCard
        layout={layout}
        title={t('offer.all')}
        text={t('offer.allText')}
        image={ART.houle?.calm ?? null}
        price={{ amount: prices.all, per: t('offer.month') }}
        features={features}
        tags={[{ tone: 'new', text: t('offer.popular') }]}
        recommended
      >
        <ButtonLink to="/offers">{t('offer.subscribe')}</ButtonLink>
      </OfferCard>
      <OfferCard
        layout={layout}
        title={t('offer.essential')}
        text={t('offer.essentialText')}
        image={ART.nord?.calm ?? null}
        price={{ amount: prices.essential, per: t('offer.month') }}
        features={t('offer.few', { returnObjects: true })}
      >
        <ButtonLink to="/offers">{t('offer.subscribe')}</ButtonLink>
      </OfferCard>
      <OfferCard
        layout={layout}
        title={t('offer.discover')}
        text={t('offer.discoverText')}
        image={ART.sables?.calm ?? null}
      >
        <ButtonLink to="/offers">{t('offer.see')}</ButtonLink>
      </OfferCard>
      <OfferCard
        layout={layout}
        title={t('offer.long')}
        text={t('long')}
        image={null}
        price={{ amount: prices.all, per: t('offer.month') }}
      >
        <ButtonLink to="/offers">{t('offer.see')}</ButtonLink>
      </OfferCard>
    </Rail>
  )
}

function GalleryStage({ layout }: { layout: StageLayout }) {
  const { t } = useTranslation('gallery')
  return (
    <div className={styles.stage}>
      <Stage
        layout={layout}
        heading="h2"
        image={ART[layout === 'Hero' ? 'houle' : 'ville']?.wide ?? null}
        eyebrow={t('hero')}
        title={layout === 'Hero' ? t('films.houle') : t('long')}
        logo={null}
      >
        <p className={styles.quiet}>{t('heroMeta')}</p>
        <p>{t('synopsis')}</p>
        <div className={styles.actions}>
          <ButtonLink to="/" look="primary">
            <PlayIcon />
            {t('play')}
          </ButtonLink>
          <ButtonLink to="/">
            <InfoIcon />
            {t('more')}
          </ButtonLink>
        </div>
      </Stage>
    </div>
  )
}
