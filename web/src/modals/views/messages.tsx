import { useTranslation } from 'react-i18next'
import { openBeside } from '../../api/native.ts'
import { Button } from '../../design/buttons/button.tsx'
import type { Words } from '../../words/words.ts'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './messages.module.css'

/** The kinds with a message and a yes or no answer. */
type Question =
  | 'confirm'
  | 'restrictPayment'
  | 'download'
  | 'resetPassword'
  | 'privacyPolicyConsent'
  | 'quotaLimit'

/** The default texts of each kind. */
const WORDS: Record<
  Exclude<Question, 'confirm'>,
  {
    title: keyof Words['modals']
    text: keyof Words['modals']
    yes: keyof Words['modals']
    no: keyof Words['modals']
  }
> = {
  restrictPayment: {
    title: 'restrictPaymentTitle',
    text: 'restrictPayment',
    yes: 'restrictPaymentGo',
    no: 'cancel',
  },
  download: { title: 'downloadTitle', text: 'download', yes: 'downloadGo', no: 'cancel' },
  resetPassword: { title: 'resetPasswordTitle', text: 'resetPassword', yes: 'resetPasswordGo', no: 'cancel' },
  privacyPolicyConsent: {
    title: 'consentTitle',
    text: 'consent',
    yes: 'consentAccept',
    no: 'consentDecline',
  },
  quotaLimit: { title: 'quotaLimitTitle', text: 'quotaLimit', yes: 'quotaLimitGo', no: 'cancel' },
}

/** Shows a message that the viewer can only close. */
export function AlertView({ modal, answer }: ModalViewProps<'alert'>) {
  const { t } = useTranslation('modals')
  return (
    <Message
      title={modal.title}
      text={modal.description}
      code={modal.code}
      button={modal.primaryLabel || t('ok')}
      onClose={() => answer(undefined)}
    />
  )
}

/** Says that the account is suspended, and whom to contact. */
export function SuspendedView({ modal, answer }: ModalViewProps<'suspended'>) {
  const { t } = useTranslation('modals')
  return (
    <Message
      title={modal.title || t('suspendedTitle')}
      text={modal.description || t('suspended')}
      button={modal.primaryLabel || t('ok')}
      onClose={() => answer(undefined)}
    />
  )
}

function Message({
  title,
  text,
  code,
  button,
  onClose,
}: {
  title: string
  text: string
  code?: string | undefined
  button: string
  onClose: () => void
}) {
  const { t } = useTranslation('modals')
  return (
    <ModalFrame
      title={title}
      text={text}
      onClose={onClose}
      actions={
        <Button look="primary" autoFocus onPress={onClose}>
          {button}
        </Button>
      }
    >
      {code !== undefined && <p className={styles.code}>{t('code', { code })}</p>}
    </ModalFrame>
  )
}

/** Asks a yes or no question. On yes, opens the modal's link if there is one. */
export function QuestionView({ modal, answer }: ModalViewProps<Question>) {
  const { t } = useTranslation('modals')
  const own = modal.type === 'confirm' ? undefined : WORDS[modal.type]
  const consent = modal.type === 'privacyPolicyConsent'

  function accept(): void {
    // Other links open after a yes. The link of a consent is already in the modal, because it leads to the text
    // that the viewer agrees to.
    if (modal.link !== '' && !consent) openBeside(modal.link)
    answer(true)
  }

  return (
    <ModalFrame
      title={modal.title || (own === undefined ? '' : t(own.title))}
      text={modal.description || (own === undefined ? '' : t(own.text))}
      {...(consent ? {} : { onClose: () => answer(false) })}
      actions={
        <>
          <Button look="primary" autoFocus onPress={accept}>
            {modal.primaryLabel || t(own?.yes ?? 'confirm')}
          </Button>
          <Button onPress={() => answer(false)}>{modal.negativeLabel || t(own?.no ?? 'cancel')}</Button>
        </>
      }
    >
      {consent && modal.link !== '' && (
        <a className={styles.link} href={modal.link} target="_blank" rel="noopener">
          {t('consentLink')}
        </a>
      )}
    </ModalFrame>
  )
}
