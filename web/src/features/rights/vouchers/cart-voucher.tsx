import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { useKeptFocus } from '../../../design/lists/use-kept-focus.ts'
import { modal } from '../../../modals/modal.ts'
import { preloadModals } from '../../../modals/modal-host.tsx'
import { moneyText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { alertError } from '../../ground/errors/alert-error.ts'
import styles from './cart-voucher.module.css'
import { tryVoucher, type Voucher } from './try-voucher.ts'
import { promotionText } from './voucher-amounts.ts'

/** The fields of a cart that concern vouchers. */
interface VoucherState {
  isSubmitted: boolean
  voucher: Voucher | undefined
  refusal: string | undefined
  parentalProof: string | undefined
}

/**
 * The voucher in the summary of a cart (A2.3-14). With a voucher, shows the discount and a button that removes the
 * voucher. Without one, shows a button that opens the dialog for a code.
 */
export function CartVoucher({
  cart,
  discountCents,
  onChange,
}: {
  cart: VoucherState
  /** The discount of the voucher on the whole cart, in cents. */
  discountCents: number
  /** Fetches the cart again with a voucher's code. `undefined` removes the voucher. */
  onChange: (code: string | undefined) => void
}) {
  const { t } = useTranslation('cart')
  const { isSubmitted, voucher, refusal, parentalProof } = cart
  const place = useRef<HTMLDivElement>(null)
  // The pressed button disappears when a voucher is applied or removed.
  useKeptFocus(place)
  if (isSubmitted) return <p className={styles.note}>{t('submitted')}</p>

  async function enter(): Promise<void> {
    const code = await modal.open('input', {
      purpose: 'voucher',
      primaryLabel: t('applyVoucher'),
      check: async (written) => {
        const tried = await tryVoucher(written, parentalProof)
        return 'refusal' in tried ? tried.refusal : undefined
      },
    })
    if (code !== null) onChange(code)
  }

  return (
    <div ref={place}>
      <div className={styles.voucher} data-row="voucher">
        {voucher === undefined ? (
          <>
            {refusal !== undefined && (
              <p className={styles.fault} role="alert">
                {refusal}
              </p>
            )}
            <ButtonGroup>
              <Button
                look="plain"
                className={styles.enter}
                aria-haspopup="dialog"
                onHoverStart={preloadModals}
                onFocus={preloadModals}
                onPress={() => void enter().catch(alertError)}
              >
                {t('haveVoucher')}
              </Button>
            </ButtonGroup>
          </>
        ) : (
          <Applied voucher={voucher} discountCents={discountCents} onRemove={() => onChange(undefined)} />
        )}
      </div>
    </div>
  )
}

function Applied({
  voucher: { code, promotions },
  discountCents,
  onRemove,
}: {
  voucher: Voucher
  discountCents: number
  onRemove: () => void
}) {
  const { t } = useTranslation('cart')
  const { language } = usePlace()
  const [first] = promotions
  return (
    <>
      <p className={styles.row}>
        <span className={styles.code}>
          {t('voucher', { code })}
          {first?.discountType === 'percentage' && ` (${promotionText(first, language)})`}
        </span>
        <span className={styles.off}>{moneyText(-discountCents, language)}</span>
      </p>
      <ButtonGroup>
        <Button look="plain" aria-label={t('removeVoucherOf', { code })} onPress={onRemove}>
          {t('removeVoucher')}
        </Button>
      </ButtonGroup>
    </>
  )
}
