import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { StruckPrice } from '../../design/cards/struck-price.tsx'
import { CloseIcon, HeartIcon, InfoIcon } from '../../design/icons/icons.tsx'
import { RecordIcon, ShareIcon, StartOverIcon } from '../../design/icons/screen-icons.tsx'
import { languageNames } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import { ChoiceList } from '../choice-list.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { OfferChoice } from '../modal-kinds.ts'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './choices.module.css'

/** The media of an asset to choose from, named by their audio and subtitle languages (V4-15). */
export function ManageMediaView({ modal, answer }: ModalViewProps<'manageMedia'>) {
  const { t } = useTranslation('modals')
  const { language } = usePlace()
  const title = modal.title || t('manageMediaTitle')
  return (
    <ModalFrame
      title={title}
      text={modal.description || t('manageMedia', { title: modal.itemContent?.title ?? '' })}
      onClose={() => answer(null)}
    >
      <ChoiceList
        label={title}
        choices={modal.medias.map((media, index) => ({
          id: media.idMedia,
          title:
            media.audioLanguages.length === 0
              ? t('mediaVersion', { number: index + 1 })
              : t('mediaAudio', { languages: languageNames(media.audioLanguages, language) }),
          text:
            media.subtitleLanguages.length === 0
              ? t('mediaNoSubtitles')
              : t('mediaSubtitles', { languages: languageNames(media.subtitleLanguages, language) }),
        }))}
        onChoose={(id) => answer(modal.medias.find(({ idMedia }) => idMedia === id) ?? null)}
      />
    </ModalFrame>
  )
}

/** The offers that unlock a title. */
export function SubscribeView({ modal, answer }: ModalViewProps<'subscribe'>) {
  const { t } = useTranslation('modals')
  const { offers, transactionalOffers, itemContent } = modal
  const none = offers.length + transactionalOffers.length === 0
  const text = itemContent === null ? t('subscribeAny') : t('subscribe', { title: itemContent.title })
  const groups: [string, readonly OfferChoice[]][] = [
    [t('subscriptions'), offers],
    [t('rentals', { count: transactionalOffers.length }), transactionalOffers],
  ]
  return (
    <ModalFrame
      title={modal.title || t('subscribeTitle')}
      text={modal.description || (none ? t('noOffers') : text)}
      onClose={() => answer(null)}
      actions={none ? <Button onPress={() => answer(null)}>{t('close')}</Button> : undefined}
    >
      {groups.map(
        ([name, group]) =>
          group.length > 0 && (
            <section key={name} className={styles.group}>
              <h3 className={styles.heading}>{name}</h3>
              <ChoiceList
                label={name}
                choices={group.map(({ idOption, title, description, price, before }) => ({
                  id: idOption,
                  title,
                  text: description,
                  side: (
                    <>
                      {before && <StruckPrice {...before} />} <span>{price}</span>
                    </>
                  ),
                }))}
                onChoose={answer}
              />
            </section>
          ),
      )}
    </ModalFrame>
  )
}

/** The actions for a title. */
export function ActionsView({ modal, answer }: ModalViewProps<'actions'>) {
  const title = modal.title || (modal.itemContent?.title ?? '')
  return (
    <ModalFrame title={title} text={modal.description} onClose={() => answer(null)}>
      <ChoiceList
        label={title}
        choices={modal.actions.map(({ text, note, isDisabled = false, icon }, id) => {
          const Icon = ICONS[icon]
          return { id, title: text, icon: <Icon />, isDisabled, ...(note !== undefined && { text: note }) }
        })}
        onChoose={answer}
      />
    </ModalFrame>
  )
}

const ICONS = {
  open: InfoIcon,
  startOver: StartOverIcon,
  favourite: HeartIcon,
  record: RecordIcon,
  remove: CloseIcon,
  share: ShareIcon,
}

/** The payment methods. */
export function PaymentView({ modal, answer }: ModalViewProps<'payment'>) {
  const { t } = useTranslation('modals')
  const title = modal.title || t('paymentTitle')
  const none = modal.methods.length === 0
  return (
    <ModalFrame
      title={title}
      text={modal.description || t(none ? 'noPaymentMethods' : 'payment')}
      onClose={() => answer(null)}
      actions={none ? <Button onPress={() => answer(null)}>{t('close')}</Button> : undefined}
    >
      {!none && (
        <ChoiceList
          label={title}
          choices={modal.methods.map(({ id, name }) => ({ id, title: name }))}
          onChoose={answer}
        />
      )}
    </ModalFrame>
  )
}
