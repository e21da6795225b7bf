import { LEVEL_AGES } from '@ondine/contract/constants'
import { imageAddress } from '@ondine/contract/images'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { modal } from '../../../modals/modal.ts'
import type { ModalKind, ModalProps, OfferChoice } from '../../../modals/modal-kinds.ts'
import { ART } from './gallery-art.ts'
import styles from './gallery-controls.module.css'
import { useGalleryPrices } from './gallery-prices.ts'
import { GallerySection } from './gallery-section.tsx'

/** The parental code of the demonstration's accounts. */
const CODE = '2580'

/** A button for each kind of modal, and below the buttons the last result. */
export function GalleryModals() {
  const { t } = useTranslation('gallery')
  const [answer, setAnswer] = useState<unknown>()
  const samples = samplesOf(t, useGalleryPrices())

  async function open<K extends ModalKind>(kind: K): Promise<void> {
    setAnswer(undefined)
    setAnswer((await modal.open(kind, samples[kind])) ?? null)
  }

  return (
    <GallerySection title={t('sections.modals')}>
      <div className={styles.row}>
        {Object.keys(samples).map((kind) => (
          <Button key={kind} aria-haspopup="dialog" onPress={() => void open(kind as ModalKind)}>
            <span translate="no">{kind}</span>
          </Button>
        ))}
      </div>
      <output>{answer === undefined ? '' : t('modal.answer', { answer: JSON.stringify(answer) })}</output>
    </GallerySection>
  )
}

function samplesOf(
  t: TFunction<'gallery'>,
  prices: ReturnType<typeof useGalleryPrices>,
): { [Kind in ModalKind]: ModalProps<Kind> } {
  const itemContent = { title: t('films.houle'), image: ART.houle?.wide ?? null }
  const offers: OfferChoice[] = [
    { idOption: 1, title: t('offer.all'), description: t('offer.allText'), price: prices.all },
    {
      idOption: 2,
      title: t('offer.essential'),
      description: t('offer.essentialText'),
      price: prices.essential,
    },
  ]
  const rental = { idOption: 3, title: t('films.houle'), description: '', price: prices.rental }
  const device = { type: 'device_pc_osx', lastUsed: t('modal.lastUsed') }
  return {
    alert: { title: t('modal.alertTitle'), description: t('modal.alert'), code: '440' },
    confirm: {
      title: t('modal.confirm'),
      description: t('modal.confirmText'),
      primaryLabel: t('modal.remove'),
    },
    restrictPayment: { link: '/offers' },
    input: {
      purpose: 'parentalCode',
      check: async (code) => (code === CODE ? undefined : t('modal.wrongCode')),
    },
    download: { link: '/others' },
    chooseDownload: {
      itemContent,
      qualities: [
        { height: 1080, text: '1080p', note: '2,4 Go' },
        { height: 720, text: '720p', note: '1,1 Go' },
      ],
      audio: [
        { id: 'fra', title: 'Français' },
        { id: 'eng', title: 'English' },
      ],
      subtitles: [
        { id: 'non', title: t('modal.noSubtitles') },
        { id: 'fra', title: 'Français' },
      ],
      choice: { height: 1080, languages: { audio: 'fra', subtitle: 'non' } },
    },
    subscribe: { itemContent, offers, transactionalOffers: [rental] },
    switchProfile: {
      profiles: (['camille', 'sacha', 'lou'] as const).map((name, index) => ({
        idProfile: index + 1,
        name: t(`modal.profiles.${name}`),
        isKid: name === 'lou',
        picture: imageAddress(
          { type: 'avatar', objectId: `avatar-${index + 1}`, height: 150, width: 150 },
          'fra',
        ),
      })),
      activeProfile: 1,
      canAdd: true,
    },
    share: { itemContent, shareUrl: 'https://ondine.example/content/la-houle-1' },
    profile: {
      initial: {
        name: t('modal.profiles.sacha'),
        language: 'fra',
        avatarId: 2,
        isKid: false,
        hasControl: true,
        level: 4,
      },
      avatars: [1, 2, 3, 4, 5, 6].map((id) => ({
        id,
        name: String(id),
        picture: imageAddress({ type: 'avatar', objectId: `avatar-${id}`, height: 150, width: 150 }, 'fra'),
      })),
      languages: [{ id: 'fra', title: 'Français' }],
      levels: LEVEL_AGES.map((age, index) => ({ id: String(index + 1), title: String(age) })),
      isNew: false,
      isDefault: false,
      noKid: undefined,
      hasControl: true,
      hasCode: true,
      save: async () => undefined,
    },
    manageDevices: {
      devices: [
        { ...device, idDevice: 1, name: t('modal.device'), current: false },
        { ...device, idDevice: 2, name: '', type: 'device_ios_phone', current: false },
        { ...device, idDevice: 3, name: '', type: 'device_stb', current: false },
      ],
      numberOfDevices: 3,
      maxNumberOfDevices: 3,
    },
    manageMedia: {
      itemContent,
      medias: [
        { idMedia: 1, audioLanguages: ['fra'], subtitleLanguages: ['fra', 'eng'] },
        { idMedia: 2, audioLanguages: ['eng'], subtitleLanguages: [] },
      ],
    },
    addDevice: {
      pair: async (code) =>
        code === CODE ? null : { title: t('disabled'), description: t('modal.wrongCode') },
    },
    resetPassword: { link: '/auth/password' },
    privacyPolicyConsent: { link: '/legal' },
    payment: {
      methods: [
        { id: 1, name: t('modal.card') },
        { id: 2, name: t('modal.transfer') },
      ],
    },
    aISummary: {
      itemContent,
      summary: t('modal.summary'),
      sentiment: {
        positive: t('modal.positive', { returnObjects: true }),
        negative: t('modal.negative', { returnObjects: true }),
      },
      reviews: [
        { source: t('modal.source'), rating: 4.2, excerpt: t('modal.review'), link: '/read/articles' },
      ],
    },
    quotaLimit: {},
    recordSeries: {
      description: t('modal.series'),
      rule: { episodes: 'new', anyChannel: false, keepLast: null },
      channel: 'Rive',
      isRecorded: true,
    },
    actions: {
      itemContent,
      actions: [
        { text: t('modal.card'), icon: 'open' },
        { text: t('modal.transfer'), icon: 'share' },
      ],
    },
    suspended: {},
  }
}
