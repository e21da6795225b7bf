import { useTranslation } from 'react-i18next'
import { Toast } from '../../../design/overlays/toast.tsx'
import { type Notice, notify } from './notice.ts'
import { numberOf } from './notice-number.ts'

/**
 * How long a notice is shown. The time is enough to read the notice, to reach its button by keyboard, and to
 * decide on undo.
 */
const DURATION_MS = 10_000

export default function NoticeToast({ notice }: { notice: Notice }) {
  const { t } = useTranslation()
  const { text, offer } = notice
  const close = () => notify(undefined)
  return (
    <Toast
      key={numberOf(notice)}
      closeText={t('modals.close')}
      durationMs={DURATION_MS}
      onClose={close}
      action={
        offer && {
          text: offer.text,
          onPress: () => {
            close()
            void offer.act()
          },
        }
      }
    >
      {text}
    </Toast>
  )
}
