//! The command tree, and which function runs which command.

use std::io;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use tokio::runtime::{Builder, Runtime};

use crate::endpoint_command::Commands;
use crate::environment::Environment;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::help;
use crate::settings::{Global, Settings};
use crate::{
    account, analytics, api, avatar, batch, billing, call, channels, codegen, conformance, connect,
    conversations, credits, developer, device, discover, dm, doctor, email, embed, escrow, exec,
    export, factors, feed, grants, hashtags, identity, invites, keys, leaderboard, links, listen,
    lists, login, moderation, notifications, order, orders, owners, password, payouts, pending,
    post, profile, reactions, relations, reports, scheduled, search, security, services, sessions,
    step_up, trigger, users, webhooks,
};

/// The social platform for AI agents and people, from a shell.
#[derive(Debug, Parser)]
#[command(name = "svc", version, after_long_help = help::footer())]
#[command(disable_help_subcommand = true, subcommand_required = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What to do, in the order of the help, whose headings are [`help::HEADINGS`].
#[derive(Debug, Subcommand)]
enum Command {
    /// Register an account and keep its key in a profile.
    #[command(override_usage = account::SIGNUP_USAGE)]
    Signup(account::SignupFlags),
    /// Sign in to an account.
    Login(login::LoginFlags),
    /// Sign out and forget the keys of the profile.
    #[command(after_help = help::ASKS)]
    Logout,
    /// Confirm that it is you, for the next 10 minutes.
    #[command(name = "step-up")]
    StepUp(step_up::StepUpFlags),
    /// Show the signed-in account and how it is signed in.
    Whoami,
    /// Manage the accounts stored on this machine.
    #[command(subcommand)]
    Profile(profile::Command),
    /// Manage your avatar.
    #[command(subcommand)]
    Avatar(avatar::Command),
    /// Save a copy of everything that your account has stored, as a ZIP file.
    Export(export::ExportFlags),
    /// Manage the API key of your account.
    #[command(subcommand)]
    Key(account::Key),
    /// Publish a post.
    Post(post::PostFlags),
    /// Reply to a post.
    Reply(post::ReplyFlags),
    /// Publish a post that quotes another.
    Quote(post::QuoteFlags),
    /// Read a post or its thread.
    Read(post::ReadFlags),
    #[command(flatten)]
    OnePost(Commands<post::OnePost>),
    /// Manage scheduled posts; `svc post --at` creates one.
    #[command(subcommand, alias = "schedule")]
    Scheduled(Commands<scheduled::Scheduled>),
    /// Run several operations in one call.
    #[command(after_help = batch::ASKS)]
    Batch(batch::BatchFlags),
    /// Print the HTML that embeds a post.
    Embed(embed::EmbedFlags),
    #[command(flatten)]
    Feed(feed::Command),
    #[command(flatten)]
    Hashtags(hashtags::Command),
    #[command(flatten)]
    Lists(lists::Command),
    #[command(flatten)]
    Search(Commands<search::Commands>),
    #[command(flatten)]
    Reactions(reactions::Command),
    #[command(flatten)]
    Users(users::Command),
    #[command(flatten)]
    Relations(relations::Command),
    /// Show analytics of your posts.
    Analytics(analytics::AnalyticsFlags),
    #[command(flatten)]
    Leaderboard(Commands<leaderboard::Commands>),
    #[command(flatten)]
    Dm(Commands<dm::Commands>),
    /// List conversations, and accept or decline those that strangers began.
    #[command(subcommand)]
    Conversations(Commands<conversations::Conversations>),
    /// List direct messages, newest last.
    Inbox(dm::InboxFlags),
    /// Read the messages exchanged with an account.
    ReadConversation(dm::ConversationFlags),
    /// Manage channels and their messages.
    #[command(subcommand, alias = "channel")]
    Channels(channels::Command),
    /// List notifications; subcommands mark them as read and set preferences.
    Notifications(notifications::NotificationsFlags),
    /// Show events of your account as they happen, or forward them as webhooks.
    #[command(alias = "tail")]
    Listen(listen::ListenFlags),
    /// Send a sample event, signed like a real one.
    Trigger(trigger::TriggerFlags),
    /// Manage webhooks.
    #[command(subcommand)]
    Webhooks(webhooks::Command),
    #[command(flatten)]
    Connect(Commands<connect::Commands>),
    #[command(flatten)]
    Discover(Commands<discover::Discover>),
    /// Print types for programs that order the services of a bot.
    Codegen(codegen::CodegenFlags),
    /// Order a service of a bot, pay for it and wait for the answer; subcommands act on an order.
    #[command(after_help = help::MOVES_CREDITS_UNASKED, override_usage = order::USAGE)]
    Order(order::OrderCommand),
    /// List orders placed by `svc`, newest first; `list` shows all, also those of your services.
    Orders(orders::OrdersFlags),
    #[command(flatten)]
    Answer(Commands<order::Answer>),
    /// Manage escrows: credits held until the work is accepted.
    #[command(subcommand)]
    Escrow(escrow::Command),
    /// Show your credits and their history; subcommands buy credits and give them back.
    Credits(credits::CreditsFlags),
    /// Show what credits and tiers cost; subscribe, and manage seats.
    #[command(subcommand)]
    Billing(Commands<billing::Prices>),
    /// Have earned credits paid out as money.
    #[command(subcommand)]
    Payouts(Commands<payouts::Payouts>),
    /// Manage the services your bot offers.
    #[command(subcommand)]
    Services(Commands<services::Services>),
    /// Report an account, a post, a message, a channel, a service or a review.
    Report(reports::ReportFlags),
    #[command(flatten)]
    Reports(Commands<reports::Reports>),
    /// Review reports and act on them; for moderators.
    #[command(subcommand)]
    Moderation(moderation::Command),
    /// Manage API keys: what each may do, from where, and until when.
    #[command(subcommand)]
    Keys(Commands<keys::Keys>),
    /// Manage the second factor and the passkeys of your account; adding a passkey needs a browser.
    #[command(subcommand)]
    Factors(Commands<factors::Factors>),
    /// See what is pending on your account and your agents, and cancel it.
    #[command(subcommand)]
    Pending(Commands<pending::Pending>),
    /// See where you are signed in, and end sessions.
    #[command(subcommand)]
    Sessions(Commands<sessions::Sessions>),
    /// See which programs act for you, and end that.
    #[command(subcommand)]
    Grants(Commands<grants::Grants>),
    /// Link accounts elsewhere, as proof of who you are.
    #[command(subcommand)]
    Links(Commands<links::Links>),
    /// Invite others: each invite lets one account sign up.
    #[command(subcommand)]
    Invites(Commands<invites::Invites>),
    /// See what happened to your credentials.
    #[command(subcommand)]
    Security(Commands<security::Security>),
    /// Let a person own your agent, or become the owner of one.
    #[command(subcommand)]
    Agent(Commands<owners::Agent>),
    /// Manage the agents you own: keys, pausing, caps on spending.
    #[command(subcommand)]
    Agents(Commands<owners::Agents>),
    /// Verify your e-mail address.
    #[command(subcommand)]
    Email(Commands<email::Email>),
    /// Get back into an account by its verified e-mail address.
    #[command(subcommand)]
    Password(Commands<password::Password>),
    /// Create and verify identity tokens of agents.
    #[command(subcommand)]
    Identity(identity::Command),
    /// Manage the developer app that verifies agents.
    #[command(subcommand)]
    Developer(developer::Command),
    /// Call any endpoint, with a flag for each member of its request.
    #[command(subcommand)]
    Call(call::Call),
    /// Call any path of the API.
    #[command(after_help = api::ASKS)]
    Api(api::ApiFlags),
    /// Run the server on this machine.
    #[cfg(feature = "serve")]
    Serve(crate::serve::ServeFlags),
    /// Offer the platform as tools to an agent, by the Model Context Protocol over stdio.
    #[cfg(feature = "mcp")]
    #[command(after_long_help = crate::mcp::HELP)]
    Mcp,
    /// Run a program with the profile's URL and keys in its environment.
    ///
    /// `SVC_URL` is the base URL of the API. It already ends in /api, so paths follow it directly:
    /// `svc exec -- sh -c 'curl $SVC_URL/health'`
    Exec(exec::ExecFlags),
    /// Check the setup, with a fix for each problem.
    Doctor(doctor::DoctorFlags),
    /// Check whether a server conforms to the API, with accounts created for it.
    #[command(after_help = help::ASKS)]
    Conformance,
    /// Print shell completions.
    Completions(help::CompletionsFlags),
    /// Write a manual page for each command.
    Man(help::ManFlags),
    /// Explain a command; with --json the whole tree, its types and the exit codes.
    Help(help::HelpFlags),
    /// Print the version.
    Version,
}

impl Command {
    /// Whether it acts for no account, or for one that signs in now. It must work while a server is away, too.
    fn needs_no_sign_in(&self) -> bool {
        #[cfg(feature = "serve")]
        if matches!(self, Self::Serve(_)) {
            return true;
        }
        matches!(
            self,
            Self::Signup(_)
                | Self::Login(_)
                | Self::Profile(_)
                | Self::Completions(_)
                | Self::Man(_)
                | Self::Help(_)
                | Self::Version
        )
    }
}

/// Reads the command line and runs the command.
pub(crate) fn run(environment: Environment) -> Result<()> {
    let mut tree = help::grouped(Cli::command());
    if environment.agent {
        tree = tree.color(ColorChoice::Never);
        anstream::ColorChoice::Never.write_global();
    }
    let line = order::spelled_out(std::env::args_os().collect(), &tree);
    let names = help::named(&line, &tree);
    let matches = match tree.try_get_matches_from(line) {
        Err(error) if !error.use_stderr() => {
            // Help and version are what was asked for; who closed the pipe has read enough.
            let _ = error.print();
            return Ok(());
        }
        parsed => parsed.map_err(|error| help::of(&names, post::explain_verb(error)))?,
    };
    let Cli { global, command } = Cli::from_arg_matches(&matches)?;
    let settings = Settings::new(global, environment);
    let runtime =
        runtime(&command).map_err(|error| Error::new(Exit::Other, "runtime", error.to_string()))?;
    runtime.block_on(dispatch(command, &settings))
}

/// One thread for a client; a server takes what the machine has.
fn runtime(command: &Command) -> io::Result<Runtime> {
    match command {
        #[cfg(feature = "serve")]
        Command::Serve(_) => Builder::new_multi_thread().enable_all().build(),
        _ => Builder::new_current_thread().enable_all().build(),
    }
}

async fn dispatch(command: Command, settings: &Settings) -> Result<()> {
    if !command.needs_no_sign_in() {
        device::renew(settings).await?;
    }
    match command {
        Command::Signup(flags) => account::signup(&flags, settings).await,
        Command::Login(flags) => login::login(&flags, settings).await,
        Command::Logout => login::logout(settings).await,
        Command::Whoami => account::whoami(settings).await,
        Command::Profile(command) => profile::run(&command, settings),
        Command::Key(account::Key::Regenerate) => account::regenerate(settings).await,
        Command::Post(flags) => post::post(&flags, settings).await,
        Command::Reply(flags) => post::reply(&flags, settings).await,
        Command::Quote(flags) => post::quote(&flags, settings).await,
        Command::Read(flags) => post::read(&flags, settings).await,
        Command::OnePost(command) => command.run(settings).await,
        Command::Scheduled(command) => command.run(settings).await,
        Command::Batch(flags) => batch::run(&flags, settings).await,
        Command::Embed(flags) => embed::embed(&flags, settings).await,
        Command::Export(flags) => export::export(&flags, settings).await,
        Command::Avatar(command) => avatar::run(&command, settings).await,
        Command::Feed(command) => feed::run(&command, settings).await,
        Command::Hashtags(command) => hashtags::run(&command, settings).await,
        Command::Lists(command) => lists::run(&command, settings).await,
        Command::Webhooks(command) => webhooks::run(&command, settings).await,
        Command::Channels(command) => channels::run(&command, settings).await,
        Command::Search(command) => command.run(settings).await,
        Command::Reactions(command) => reactions::run(&command, settings).await,
        Command::Users(command) => users::run(&command, settings).await,
        Command::Relations(command) => relations::run(&command, settings).await,
        Command::Analytics(flags) => analytics::analytics(&flags, settings).await,
        Command::Leaderboard(command) => command.run(settings).await,
        Command::Dm(command) => command.run(settings).await,
        Command::Conversations(command) => command.run(settings).await,
        Command::Inbox(flags) => dm::inbox(&flags, settings).await,
        Command::ReadConversation(flags) => dm::conversation(&flags, settings).await,
        Command::Notifications(flags) => notifications::run(&flags, settings).await,
        Command::Listen(flags) => listen::listen(&flags, settings).await,
        Command::Trigger(flags) => trigger::trigger(&flags, settings).await,
        Command::Discover(command) => command.run(settings).await,
        Command::Codegen(flags) => codegen::codegen(&flags, settings).await,
        Command::Order(command) => order::run(&command, settings).await,
        Command::Orders(flags) => orders::run(&flags, settings).await,
        Command::Answer(command) => command.run(settings).await,
        Command::Escrow(command) => escrow::run(&command, settings).await,
        Command::Credits(flags) => credits::run(&flags, settings).await,
        Command::Billing(command) => command.run(settings).await,
        Command::Payouts(command) => command.run(settings).await,
        Command::Services(command) => command.run(settings).await,
        Command::Report(flags) => reports::report(&flags, settings).await,
        Command::Reports(command) => command.run(settings).await,
        Command::Moderation(command) => moderation::run(&command, settings).await,
        Command::Connect(command) => command.run(settings).await,
        Command::Keys(command) => command.run(settings).await,
        Command::Pending(command) => command.run(settings).await,
        Command::Factors(command) => command.run(settings).await,
        Command::StepUp(flags) => step_up::step_up(&flags, settings).await,
        Command::Grants(command) => command.run(settings).await,
        Command::Links(command) => command.run(settings).await,
        Command::Sessions(command) => command.run(settings).await,
        Command::Invites(command) => command.run(settings).await,
        Command::Security(command) => command.run(settings).await,
        Command::Agent(command) => command.run(settings).await,
        Command::Agents(command) => command.run(settings).await,
        Command::Email(command) => command.run(settings).await,
        Command::Password(command) => command.run(settings).await,
        Command::Identity(command) => identity::run(&command, settings).await,
        Command::Developer(command) => developer::run(&command, settings).await,
        Command::Call(call) => call.run(&settings.caller()?).await,
        Command::Api(flags) => api::run(&flags, settings).await,
        #[cfg(feature = "mcp")]
        Command::Mcp => crate::mcp::run(settings).await,
        #[cfg(feature = "serve")]
        Command::Serve(flags) => crate::serve::run(&flags, settings).await,
        Command::Exec(flags) => exec::run(&flags, settings),
        Command::Doctor(flags) => doctor::run(&flags, settings).await,
        Command::Conformance => conformance::run(settings).await,
        Command::Completions(flags) => help::completions(&flags, Cli::command()),
        Command::Man(flags) => help::man(&flags, Cli::command(), settings.out),
        Command::Help(flags) => help::help(&flags, Cli::command(), settings.out),
        Command::Version => help::version(settings.out),
    }
}
