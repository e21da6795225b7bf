import type { PaymentMethod } from '@ondine/contract/orders'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { Row, RowList } from '../../../design/lists/row-list.tsx'
import { Section, SectionSkeleton, SectionText } from '../../../design/page/section.tsx'
import { dateText } from '../../../words/dates.ts'
import { usePlace } from '../../../words/place.tsx'
import { alertError } from '../../ground/errors/alert-error.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { useSession } from '../../ground/session/session.ts'
import { openDashboard } from './open-dashboard.ts'
import styles from './payment-methods-part.module.css'
import { paymentMethodsQuery } from './payment-methods-query.ts'
import { brandName, dashboardProviders, savedMethods } from './saved-methods.ts'

/**
 * The saved cards of the account, with links to the pages that manage the cards. Renders nothing for a suspended
 * account, which cannot pay.
 */
export function PaymentMethodsPart() {
  const { t } = useTranslation('billing')
  if (useSession().account?.status === 'SUSPENDED') return null
  return (
    <Section id="payment-methods" title={t('methods')}>
      {/* `name` is empty, because the section already has a heading. */}
      <QueryPart name="" query={paymentMethodsQuery} waiting={<SectionSkeleton />}>
        {(methods) => <Methods methods={methods} />}
      </QueryPart>
    </Section>
  )
}

function Methods({ methods }: { methods: readonly PaymentMethod[] }) {
  const { t } = useTranslation('billing')
  const place = usePlace()
  const saved = savedMethods(methods)
  const providers = dashboardProviders(methods)
  return (
    <>
      {saved.length === 0 ? (
        <SectionText>{t('noMethods')}</SectionText>
      ) : (
        <RowList label={t('methods')}>
          {saved.map(({ paymentProvider, paymentMethod, paymentBrand, label, lastUsage }) => (
            <Row
              key={`${paymentProvider} ${paymentMethod}`}
              title={t('card', { brand: brandName(paymentBrand), label })}
              notes={lastUsage === null ? [] : [t('lastUsed', { date: dateText(lastUsage, place) })]}
            />
          ))}
        </RowList>
      )}
      {providers.map((id) => (
        <div key={id} className={styles.dashboard}>
          <SectionText>{t('dashboardText')}</SectionText>
          <Button onPress={() => void openDashboard(id).catch(alertError)}>{t('dashboard')}</Button>
        </div>
      ))}
    </>
  )
}
