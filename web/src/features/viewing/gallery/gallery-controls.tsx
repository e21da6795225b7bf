import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { TextLink } from '../../../design/buttons/link.tsx'
import { Badge } from '../../../design/cards/badge.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { Tag } from '../../../design/cards/tag.tsx'
import { Select } from '../../../design/fields/select.tsx'
import { SelectField } from '../../../design/fields/select-field.tsx'
import { Slider } from '../../../design/fields/slider.tsx'
import { Switch } from '../../../design/fields/switch.tsx'
import { TextField } from '../../../design/fields/text-field.tsx'
import { CheckIcon, InfoIcon, PlayIcon, WarningIcon } from '../../../design/icons/icons.tsx'
import { Tabs } from '../../../design/lists/tabs.tsx'
import { Dialog } from '../../../design/overlays/dialog.tsx'
import { Menu } from '../../../design/overlays/menu.tsx'
import { Toast, type ToastTone } from '../../../design/overlays/toast.tsx'
import { ToastRegion } from '../../../design/overlays/toast-region.tsx'
import { Tooltip } from '../../../design/overlays/tooltip.tsx'
import { CardSkeleton, RailSkeleton } from '../../../design/skeletons/card-skeleton.tsx'
import styles from './gallery-controls.module.css'
import { useGalleryPrices } from './gallery-prices.ts'
import { GallerySection } from './gallery-section.tsx'

const TABS = ['episodes', 'about', 'related'] as const
const ACTIONS = ['share', 'download', 'remove'] as const
const QUALITIES = ['auto', 'high', 'low'] as const

/** Buttons, fields, choices and disclosures. */
export function GalleryControls() {
  return (
    <>
      <Buttons />
      <Fields />
      <Overlays />
      <Signs />
      <Waiting />
    </>
  )
}

function Buttons() {
  const { t } = useTranslation('gallery')
  return (
    <GallerySection title={t('sections.buttons')}>
      <div className={styles.row}>
        <Button look="primary">
          <PlayIcon />
          {t('play')}
        </Button>
        <Button>
          <InfoIcon />
          {t('more')}
        </Button>
        <Tooltip text={t('add')}>
          <Button look="icon" aria-label={t('add')}>
            <CheckIcon />
          </Button>
        </Tooltip>
        <Button look="plain">{t('plain')}</Button>
      </div>
      <div className={styles.row}>
        <Button look="primary" isDisabled>
          {t('disabled')}
        </Button>
        <Button isDisabled>{t('disabled')}</Button>
        <Button look="icon" isDisabled aria-label={t('disabled')}>
          <WarningIcon />
        </Button>
      </div>
      <div className={styles.row}>
        <ButtonLink to="/" look="primary">
          {t('play')}
        </ButtonLink>
        <TextLink to="/legal">{t('link')}</TextLink>
        <TextLink to="https://example.org">{t('elsewhere')}</TextLink>
      </div>
    </GallerySection>
  )
}

function Fields() {
  const { t } = useTranslation('gallery')
  const [empty, setEmpty] = useState('')
  const [filled, setFilled] = useState<string>(t('emailValue'))
  const [wrong, setWrong] = useState<string>(t('emailWrong'))
  const [country, setCountry] = useState('')
  const countries = (['fr', 'be', 'ch'] as const).map((id) => ({ id, title: t(`countries.${id}`) }))
  const choice = { label: t('country'), options: countries, placeholder: t('choose'), onChange: setCountry }
  const [season, setSeason] = useState(1)
  const [autoplay, setAutoplay] = useState(true)
  const [subtitles, setSubtitles] = useState(false)
  const [volume, setVolume] = useState(0.6)
  return (
    <GallerySection title={t('sections.fields')}>
      <div className={styles.columns}>
        <TextField name="empty" label={t('email')} type="email" value={empty} onChange={setEmpty} />
        <TextField name="filled" label={t('email')} type="email" value={filled} onChange={setFilled} />
        <TextField
          name="wrong"
          label={t('email')}
          type="email"
          value={wrong}
          error={t('emailError')}
          onChange={setWrong}
        />
        <SelectField {...choice} name="country" value={country} />
        <SelectField
          {...choice}
          name="countryWrong"
          value={country}
          {...(country === '' ? { error: t('required') } : {})}
        />
        <SelectField {...choice} name="countryDisabled" value="fr" isDisabled />
        <Switch label={t('autoplay')} note={t('autoplayNote')} isSelected={autoplay} onChange={setAutoplay} />
        <Switch label={t('subtitles')} isSelected={subtitles} onChange={setSubtitles} />
        <Switch label={t('disabled')} isSelected isDisabled onChange={setAutoplay} />
        <Slider
          label={t('volume')}
          value={volume}
          max={1}
          step={0.05}
          format={{ style: 'percent' }}
          onChange={setVolume}
        />
        <Slider label={t('brightness')} value={30} isDisabled onChange={setVolume} />
        <div>
          <Select
            label={t('season')}
            options={[1, 2, 3].map((number) => ({ id: number, title: t('seasonNumber', { number }) }))}
            value={season}
            onChange={setSeason}
          />
        </div>
      </div>
    </GallerySection>
  )
}

function Overlays() {
  const { t } = useTranslation('gallery')
  const [dialog, setDialog] = useState(false)
  const [quality, setQuality] = useState<string>('auto')
  const [toasts, setToasts] = useState<{ id: number; tone: ToastTone }[]>([])
  const show = (tone: ToastTone) =>
    setToasts((shown) => [...shown, { id: (shown.at(-1)?.id ?? 0) + 1, tone }])
  const hide = (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id))
  return (
    <>
      <GallerySection title={t('sections.overlays')}>
        <div className={styles.row}>
          <Menu
            label={t('menu')}
            trigger={<Button>{t('menu')}</Button>}
            entries={ACTIONS.map((id) => ({
              id,
              title: t(`menuItem.${id}`),
              icon: id === 'share' ? <InfoIcon /> : undefined,
              isDisabled: id === 'download',
            }))}
            onAction={() => show('good')}
          />
          <Menu
            label={t('quality')}
            trigger={<Button>{t('quality')}</Button>}
            entries={QUALITIES.map((id) => ({
              id,
              title: t(`qualityItem.${id}`),
              isSelected: id === quality,
            }))}
            onAction={setQuality}
          />
          <Button onPress={() => setDialog(true)}>{t('openDialog')}</Button>
          <Button onPress={() => show('good')}>{t('toast')}</Button>
          <Button onPress={() => show('bad')}>{t('toastBad')}</Button>
        </div>
      </GallerySection>
      <div className={styles.tabs}>
        <Tabs
          label={t('tabs')}
          tabs={TABS.map((id) => ({
            id,
            title: t(`tab.${id}`),
            content: <p className={styles.panel}>{t('tabText', { tab: t(`tab.${id}`) })}</p>,
          }))}
        />
      </div>
      {dialog && (
        <Dialog title={t('dialogTitle')} closeText={t('close')} onClose={() => setDialog(false)}>
          <p>{t('dialogText')}</p>
        </Dialog>
      )}
      <ToastRegion>
        {toasts.map(({ id, tone }) => (
          <Toast key={id} tone={tone} closeText={t('close')} onClose={() => hide(id)}>
            {t(tone === 'bad' ? 'toastBadText' : 'toastText')}
          </Toast>
        ))}
      </ToastRegion>
    </>
  )
}

function Signs() {
  const { t } = useTranslation('gallery')
  const prices = useGalleryPrices()
  return (
    <GallerySection title={t('sections.signs')}>
      <div className={styles.row}>
        <Tag tone="live" text={t('tag.live')} />
        <Tag tone="new" text={t('tag.new')} />
        <Tag tone="leaving" text={t('tag.leaving')} label={t('tag.leavingLabel')} />
        <Tag tone="price" text={prices.rental} />
        <Tag tone="lock" text={t('tag.lock')} />
        <Tag tone="plain" text={t('tag.soon')} />
        {[1, 12, 240].map((count) => (
          <Badge key={count} count={count} label={t('badge', { count })} />
        ))}
      </div>
      <div className={styles.columns}>
        {[0, 0.35, 1].map((value) => (
          <Progress key={value} value={value} label={t('progress')} />
        ))}
        <Progress value={0.7} tone="live" label={t('live')} />
      </div>
    </GallerySection>
  )
}

function Waiting() {
  const { t } = useTranslation('gallery')
  return (
    <GallerySection title={t('sections.waiting')} wide>
      <RailSkeleton layout="Cover" />
      <div className={styles.bones}>
        <CardSkeleton layout="Poster" />
        <CardSkeleton layout="Circle" />
        <CardSkeleton layout="Inline" />
      </div>
    </GallerySection>
  )
}
