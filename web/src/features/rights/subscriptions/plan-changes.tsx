import { languageTag } from '@ondine/contract/languages'
import type { PaymentMethod } from '@ondine/contract/orders'
import type { PlanChange, Subscription } from '@ondine/contract/subscriptions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { ChoiceRow, ChoiceRows } from '../../../design/fields/choice-row.tsx'
import { dateText } from '../../../words/dates.ts'
import { amountText, centsOf } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { perText } from '../offers/offer-texts.ts'
import { PaymentMethods } from '../offers/payment-methods.tsx'
import { WaiverField } from '../offers/waiver-field.tsx'
import { paymentMethodsQuery } from '../payments/payment-methods-query.ts'
import { savedMethods } from '../payments/saved-methods.ts'
import { changePlan, needsMethod } from './change-subscription.ts'
import styles from './plan-changes.module.css'
import { changesQuery } from './queries.ts'

/** The plans to which a subscription can change, with a button that confirms the change. */
export function PlanChanges({ subscription, onDone }: { subscription: Subscription; onDone: () => void }) {
  const { t } = useTranslation('products')
  return (
    <div className={styles.changes}>
      <QueryPart
        name={t('otherPlans')}
        query={changesQuery(subscription.id)}
        waiting={<div className={styles.waiting} aria-busy="true" />}
      >
        {(changes) =>
          changes.length === 0 ? (
            <p>{t('noOtherPlan')}</p>
          ) : (
            <ChooseChange subscription={subscription} changes={changes} onDone={onDone} />
          )
        }
      </QueryPart>
    </div>
  )
}

function ChooseChange({
  subscription,
  changes,
  onDone,
}: {
  subscription: Subscription
  changes: readonly PlanChange[]
  onDone: () => void
}) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const [chosenId, setChosenId] = useState<number>()
  // Looks the chosen plan up in the newest answer, because the amounts may have changed since the choice.
  const chosen = changes.find(({ idOption }) => idOption === chosenId)
  return (
    <>
      <ChoiceRows
        aria-label={t('products.otherPlans')}
        value={chosenId === undefined ? null : String(chosenId)}
        onChange={(id) => setChosenId(Number(id))}
      >
        {changes.map((change) => (
          <ChoiceRow key={change.idOption} value={String(change.idOption)} className={styles.plan}>
            <span className={styles.words}>
              <span className={styles.name}>{change.title}</span>
              <span className={styles.text}>
                {`${amountText(change.priceWithVat, language)} ${perText(change, t) ?? ''}`}
              </span>
            </span>
            <span className={styles.when}>
              <Start change={change} />
            </span>
          </ChoiceRow>
        ))}
      </ChoiceRows>
      {chosen && (
        <ConfirmChange key={chosen.idOption} subscription={subscription} change={chosen} onDone={onDone} />
      )}
    </>
  )
}

/** Says when a change starts, and what amount is due then. */
function Start({ change: { starts, at, amount } }: { change: PlanChange }) {
  const { t } = useTranslation('products')
  const place = usePlace()
  const price = amountText(amount, place.language)
  return starts === 'now'
    ? t('nowFor', { amount: price })
    : t('laterFor', { date: dateText(at, place), amount: price })
}

/** A text about the chosen change, the payment methods, and the button that confirms the change. */
function ConfirmChange({
  subscription,
  change,
  onDone,
}: {
  subscription: Subscription
  change: PlanChange
  onDone: () => void
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const queries = useQueryClient()
  const { data: methods = [] } = useQuery(paymentMethodsQuery)
  const [picked, setPicked] = useState<PaymentMethod>()
  const [isWaived, setWaived] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { isAmountOnButton, isRenewalShown, isWaiverAsked } = useConfiguration().offers.consumerRules
  const { starts, amount, at, credit, renewals, endsOptions, title } = change
  const isNow = starts === 'now'
  const isPaid = isNow && centsOf(amount) > 0
  const isCardAsked = needsMethod(subscription, change)
  const offered = isPaid ? methods : savedMethods(methods)
  const method = isCardAsked ? (picked ?? offered[0]) : undefined
  const price = amountText(amount, place.language)

  async function confirm(): Promise<void> {
    const mustWaive = isNow && isWaiverAsked && !isWaived
    setMissing(mustWaive)
    if (isAsking || mustWaive) return
    setAsking(true)
    try {
      await changePlan(queries, subscription, change, method, onDone)
    } catch (error) {
      // The call may have failed because the amount has changed.
      await queries.invalidateQueries({ queryKey: changesQuery(subscription.id).queryKey })
      await alertError(error)
    } finally {
      setAsking(false)
    }
  }

  return (
    <section className={styles.confirm} aria-label={t('products.changeTo', { title })}>
      <p>
        {isNow
          ? t('products.startsNow', { title, old: subscription.title })
          : t('products.startsLater', { title, old: subscription.title, date: dateText(at, place) })}
      </p>
      {centsOf(credit) > 0 && <p>{t('products.credit', { amount: amountText(credit, place.language) })}</p>}
      {endsOptions.length > 0 && (
        <p className={styles.warning}>
          {t(isNow ? 'products.endsOptions' : 'products.endsOptionsLater', {
            count: endsOptions.length,
            options: new Intl.ListFormat(languageTag(place.language)).format(endsOptions),
          })}
        </p>
      )}
      {!isNow && <p>{t('products.dueLater', { date: dateText(at, place), amount: price })}</p>}
      {isRenewalShown && (
        <>
          {renewals.map((charge) => (
            <p key={charge.at}>
              {t('cart.renewal', {
                date: dateText(charge.at, place),
                price: amountText(charge.priceWithVat, place.language),
                per: perText(change, t) ?? '',
              })}
            </p>
          ))}
          <p>{t('cart.renews')}</p>
        </>
      )}
      {isCardAsked && (
        <>
          <h3 id="method" className={styles.heading}>
            {t('cart.method')}
          </h3>
          {method === undefined ? (
            <p role="alert">{t('cart.noMethod')}</p>
          ) : (
            <PaymentMethods methods={offered} value={method} onChange={setPicked} />
          )}
        </>
      )}
      {isNow && isWaiverAsked && (
        <WaiverField isWaived={isWaived} isMissing={isMissing && !isWaived} onChange={setWaived} />
      )}
      <ButtonGroup>
        <Button
          look="primary"
          isDisabled={isCardAsked && method === undefined}
          onPress={() => void confirm().catch(alertError)}
        >
          {isAsking
            ? t('cart.asking')
            : isPaid
              ? t(isAmountOnButton ? 'cart.pay' : 'cart.payPlain', { price })
              : t('products.changeTo', { title })}
        </Button>
        <Button look="plain" onPress={onDone}>
          {t('products.changeNothing')}
        </Button>
      </ButtonGroup>
    </section>
  )
}
