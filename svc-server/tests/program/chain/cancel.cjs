// Takes back a payment on the chain, as EIP-3009 has it: URL of the chain, the payer's private key, PAYMENT-SIGNATURE.
const { createPublicClient, createWalletClient, http, parseAbi } = require('viem');
const { privateKeyToAccount } = require('viem/accounts');

const [url, key, payment] = process.argv.slice(2);
const { accepted, payload } = JSON.parse(Buffer.from(payment, 'base64'));
const account = privateKeyToAccount(key);
const transport = http(url);
const chainId = Number(accepted.network.split(':')[1]);

async function main() {
    const taken = { authorizer: account.address, nonce: payload.authorization.nonce };
    const signature = await account.signTypedData({
        domain: { ...accepted.extra, chainId, verifyingContract: accepted.asset },
        types: {
            CancelAuthorization: [
                { name: 'authorizer', type: 'address' },
                { name: 'nonce', type: 'bytes32' },
            ],
        },
        primaryType: 'CancelAuthorization',
        message: taken,
    });
    const hash = await createWalletClient({ account, transport }).writeContract({
        chain: null,
        address: accepted.asset,
        abi: parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']),
        functionName: 'cancelAuthorization',
        args: [taken.authorizer, taken.nonce, signature],
    });
    const receipt = await createPublicClient({ transport, pollingInterval: 10 }).waitForTransactionReceipt({ hash });
    console.log(receipt.status);
}
main();
