import { getBillingDashboardAccess } from '@ondine/contract/orders'
import { call } from '../../../api/call.ts'
import { leaveFor } from '../../../api/native.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'

/**
 * Goes to a payment provider's page, on which the viewer manages the account's cards (A1-02). The provider's page
 * then sends the viewer back to this screen.
 */
export async function openDashboard(brandBillingProviderId: number): Promise<void> {
  const access = await withParentalCode(
    async (parentalProof) => await call(getBillingDashboardAccess, { brandBillingProviderId, parentalProof }),
  )
  if (access !== null) leaveFor(access.dashboardUrl)
}
